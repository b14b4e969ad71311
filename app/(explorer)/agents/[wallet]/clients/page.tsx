import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { ClientRecordFacts } from "@/components/agents/client-record";
import { CounterpartyPanel } from "@/components/agents/counterparty-panel";
import { RegistryFeedbackPanel } from "@/components/agents/registry-feedback";
import { Panel } from "@/components/ui/panel";
import { getPageApi, resolveOptional } from "@/server/pages/page-api";

export const generateMetadata = (props: ProfileProps) => describeProfile(props, "clients");

export default async function AgentClientsPage({ params }: ProfileProps) {
  const profile = await loadProfile((await params).wallet);
  const own = { walletAddress: profile.walletAddress };
  const { explorer, feedback } = await getPageApi();
  const [clients, graph, registryFeedback] = await Promise.all([
    explorer.counterparties(own),
    explorer.graph(own),
    resolveOptional(feedback.ofAgent(own), null),
  ]);
  const ring = profile.risk.flags.find(({ risk }) => risk === "ring-payments");
  return (
    <ProfileFrame profile={profile} tab="clients">
      <div className="grid grid-cols-1 gap-6">
        <Panel
          title={clients.requesters === 0 && graph.total > 0 ? "Payees" : "Clients and payees"}
        >
          <CounterpartyPanel
            clients={clients}
            confirmed={profile.confirmedClients}
            graph={graph}
            wallet={own.walletAddress}
            ring={ring}
          />
        </Panel>
        {(profile.asClient.ordered > 0 || profile.asClient.leftUnpaid !== null) && (
          <Panel
            title="As a client"
            note="How it paid for the work that it ordered. Clients have no score."
          >
            <ClientRecordFacts record={profile.asClient} />
          </Panel>
        )}
        {registryFeedback && <RegistryFeedbackPanel feedback={registryFeedback} />}
      </div>
    </ProfileFrame>
  );
}
