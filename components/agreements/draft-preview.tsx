import { AgentName } from "@/components/agents/agent-link";
import { getOtherParty } from "@/server/disputes/parties";
import type { AgreementDraft } from "./agreement-draft";
import { useOtherName } from "./job-fields";
import { TermsSentence } from "./terms-sentence";

/** Shows the drafted terms in a sentence, once value and deadline are entered. */
export function DraftPreview({ draft }: { draft: AgreementDraft }) {
  const { role, title, valueUsdc, payment, deliverBy } = draft;
  const name = useOtherName(draft);
  if (deliverBy === "" || valueUsdc === "" || !(Number(valueUsdc) >= 0)) {
    return <p className="text-muted">Value and deadline appear here once you enter them.</p>;
  }
  const wallet = draft[getOtherParty(role)].trim();
  const other = wallet && <AgentName wallet={wallet} name={name} />;
  return (
    <p className="font-serif text-lg leading-snug break-words">
      <TermsSentence
        contractor={role === "contractor" ? "Your agent" : other || "The contractor"}
        client={role === "requester" ? "your agent" : other || "the client"}
        title={title.trim() || undefined}
        valueUsdc={Number(valueUsdc)}
        payment={payment}
        deliverBy={`${deliverBy}:00Z`}
      />
    </p>
  );
}
