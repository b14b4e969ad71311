import { countCharacters, isHttpUrl, isTxHash } from "@/components/account/validate";

interface StakeDraft {
  text: string;
  /** Deliverable supplied by the contractor; empty for none. */
  deliverableContent: string;
  evidenceUrl: string;
  /** Transaction of a payment made elsewhere; empty for none. */
  txHash: string;
}

export type StakeErrors = Partial<Record<keyof StakeDraft, string>>;

export const WRONG_TX_HASH = "A transaction hash is 0x followed by 64 hex digits.";

const MAX_TEXT = 10_000;
const MAX_DELIVERABLE = 500_000;

/** Validates a dispute or answer as the API does, before anything is paid. */
export function validateStakeDraft(action: "open" | "answer", draft: StakeDraft): StakeErrors {
  const text = draft.text.trim();
  const evidenceUrl = draft.evidenceUrl.trim();
  const txHash = draft.txHash.trim();
  const { deliverableContent } = draft;
  return {
    ...(text === "" && action === "open" ? { text: "Say why the verdict is wrong." } : {}),
    ...(countCharacters(text) > MAX_TEXT ? { text: "At most 10,000 characters." } : {}),
    ...(countCharacters(deliverableContent.trim()) > MAX_DELIVERABLE ||
    deliverableContent.includes("\0")
      ? { deliverableContent: "At most 500,000 characters, without NUL characters." }
      : {}),
    ...(evidenceUrl !== "" && !isHttpUrl(evidenceUrl)
      ? { evidenceUrl: "Enter a full URL starting with http:// or https://." }
      : {}),
    ...(txHash !== "" && !isTxHash(txHash) ? { txHash: WRONG_TX_HASH } : {}),
  };
}
