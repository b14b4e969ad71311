import { openInput, stakeInput } from "@/server/disputes/schema";

interface StakeDraft {
  text: string;
  /** What a contractor says it delivered; empty for none. */
  deliverableContent: string;
  evidenceUrl: string;
  /** Of a payment made elsewhere; empty for none. */
  txHash: string;
}

export type StakeErrors = Partial<Record<keyof StakeDraft, string>>;

const SOME_ID = "00000000-0000-4000-8000-000000000000";
const SOME_HASH = `0x${"0".repeat(64)}`;

/** What is wrong with a dispute or an answer before anything is paid, by the schema of the API. */
export function checkStake(action: "open" | "answer", draft: StakeDraft): StakeErrors {
  const text = draft.text.trim();
  const more = {
    stakePaymentTxHash: draft.txHash.trim() || SOME_HASH,
    ...(draft.deliverableContent.trim() ? { deliverableContent: draft.deliverableContent } : {}),
    ...(draft.evidenceUrl.trim() ? { evidenceUrl: draft.evidenceUrl.trim() } : {}),
  };
  const { error } =
    action === "open"
      ? openInput.safeParse({ outcomeId: SOME_ID, reason: text, ...more })
      : stakeInput.safeParse({ disputeId: SOME_ID, ...(text ? { statement: text } : {}), ...more });
  const wrong = new Set(error?.issues.map(({ path }) => path[0]));
  return {
    ...(wrong.has("reason") || wrong.has("statement")
      ? { text: text ? "At most 10,000 characters." : "Say why the verdict is wrong." }
      : {}),
    ...(wrong.has("deliverableContent")
      ? { deliverableContent: "At most 500,000 characters, without NUL characters." }
      : {}),
    ...(wrong.has("evidenceUrl")
      ? { evidenceUrl: "Give a whole address that begins with http:// or https://." }
      : {}),
    ...(wrong.has("stakePaymentTxHash")
      ? { txHash: "A transaction hash is 0x and 64 characters from 0 to 9 and a to f." }
      : {}),
  };
}
