import { getOtherParty, getWinner } from "@/server/disputes/parties";
import type { Dispute, Party } from "@/server/disputes/schema";

/** Names of the parties on pages. */
export const PARTY_NAMES = {
  contractor: "contractor",
  requester: "client",
} as const satisfies Record<Party, string>;

/** Returns what a resolved dispute did to the verdict. */
export function describeResult({ finalVerdict, recordedVerdict }: Dispute): string {
  return finalVerdict === recordedVerdict ? "Upheld" : "Overturned";
}

interface State {
  before: string;
  /** Named between the two texts. */
  party: Party | null;
  after: string;
}

/** Describes the state of a dispute: `[contractor] won: failure overturned`. */
export function describeState(dispute: Dispute): State {
  const { phase, openedBy, verdict, recordedVerdict } = dispute;
  if (phase === "awaiting-answer") {
    return { before: "Waiting for ", party: getOtherParty(openedBy), after: " to answer" };
  }
  if (phase === "in-review") return { before: "Under review", party: null, after: "" };
  if (phase === "recording" || !verdict) {
    return { before: "Being recorded on chain", party: null, after: "" };
  }
  const result = `${recordedVerdict.toLowerCase()} ${describeResult(dispute).toLowerCase()}`;
  return { before: "", party: getWinner(verdict), after: ` won: ${result}` };
}
