import { shortenHex } from "@/components/ui/format";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { Requirement } from "@/server/judging/requirements/schema";
import type { AgreementDraft } from "./agreement-draft";
import { TermsSentence } from "./terms-sentence";

interface Props {
  draft: AgreementDraft;
  /** Those of the draft that are complete. */
  requirements: Requirement[];
}

/** Shows the drafted terms in sentences, as far as they are entered. */
export function DraftPreview({ draft, requirements }: Props) {
  const { role, counterparty, title, valueUsdc, payment, deliverBy } = draft;
  const isDated = !Number.isNaN(Date.parse(`${deliverBy}:00Z`));
  const other = /^0x\S{40}$/.test(counterparty.trim()) ? (
    <span title={counterparty.trim()}>{shortenHex(counterparty.trim())}</span>
  ) : null;
  return (
    <div className="grid gap-4">
      {isDated && Number(valueUsdc) >= 0 && valueUsdc !== "" ? (
        <p className="font-serif text-lg leading-snug break-words">
          <TermsSentence
            contractor={role === "contractor" ? "Your agent" : (other ?? "The contractor")}
            client={role === "requester" ? "your agent" : (other ?? "the client")}
            title={title.trim() || undefined}
            valueUsdc={Number(valueUsdc)}
            payment={payment}
            deliverBy={`${deliverBy}:00Z`}
          />
        </p>
      ) : (
        <p className="text-muted">Value and deadline appear here once you enter them.</p>
      )}
      {requirements.length > 0 && (
        <ul className="list-disc pl-5 text-sm">
          {requirements.map((requirement, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
            <li key={index}>{describeRequirement(requirement)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
