import type { DisputeVerdict, Party } from "./schema";

// Apart from the schemas, so that pages can use these functions without loading a validator.

/** Returns the party whose stake is returned. */
export function getWinner(verdict: DisputeVerdict): Party {
  return verdict === "CONTRACTOR_WINS" ? "contractor" : "requester";
}

export const getOtherParty = (party: Party): Party =>
  party === "contractor" ? "requester" : "contractor";
