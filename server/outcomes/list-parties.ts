import type { PublicOutcome } from "./schema";

/** Returns the distinct wallets of the outcomes' parties. */
export function listParties(outcomes: PublicOutcome[]): string[] {
  const parties = outcomes.flatMap((one) => [
    one.contractorAgentAddress,
    one.requesterAgentAddress,
  ]);
  return [...new Set(parties)];
}
