import type { PublicOutcome } from "./schema";

type Parties = Pick<PublicOutcome, "contractorAgentAddress" | "requesterAgentAddress">;

/** Returns the distinct wallets of the parties of outcomes or disputes. */
export function listParties(outcomes: Parties[]): string[] {
  const parties = outcomes.flatMap((one) => [
    one.contractorAgentAddress,
    one.requesterAgentAddress,
  ]);
  return [...new Set(parties)];
}
