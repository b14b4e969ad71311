import type { Dispute } from "@/server/disputes/schema";

/** Returns whether the dispute awaits this wallet's answer. */
export function awaitsAnswerFrom(
  { phase, stakes }: Pick<Dispute, "phase" | "stakes">,
  wallet: string,
): boolean {
  const own = stakes.find(({ walletAddress }) => walletAddress === wallet);
  return phase === "awaiting-answer" && own?.state === "none";
}
