import { KeyFigures } from "@/components/site/key-figures";
import { formatAmount } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import type { RegistryFeedback } from "@/server/feedback/schema";

/** Shows how much ERC-8004 feedback others gave the agent, and why it does not count. */
export function RegistryFeedbackPanel({ feedback }: { feedback: RegistryFeedback }) {
  const { agentId, feedback: total, clients, payingClients, note } = feedback;
  return (
    <Panel title="ERC-8004 feedback by others" note={`About agent ${agentId}, outside the score.`}>
      <KeyFigures
        figures={[
          { label: "Feedback", value: formatAmount(total) },
          { label: "Clients", value: formatAmount(clients) },
          { label: "Paying clients", value: formatAmount(payingClients) },
        ]}
      />
      <p className="mt-4 text-sm text-muted">{note}</p>
    </Panel>
  );
}
