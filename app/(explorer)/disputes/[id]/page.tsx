import type { Metadata } from "next";
import { cache } from "react";
import { AgentLink } from "@/components/agents/agent-link";
import { Claims } from "@/components/disputes/claims";
import { describeEnd, describeState } from "@/components/disputes/describe-dispute";
import { DisputeFigures } from "@/components/disputes/dispute-figures";
import { DisputeRecords } from "@/components/disputes/dispute-records";
import { DisputeStatus } from "@/components/disputes/dispute-status";
import { DisputeSteps } from "@/components/disputes/dispute-steps";
import { JobTitle } from "@/components/outcomes/job-title";
import { ReviewReasoning } from "@/components/outcomes/reasoning";
import { SimulatedMark } from "@/components/outcomes/verdict-mark";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describePage } from "@/components/social/describe-page";
import { capitalize, formatDay, shortenHex, withArticle } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Dispute } from "@/server/disputes/schema";
import type { Names } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { nameJob } from "@/server/outcomes/job-name";
import { getPageApi, getSiteUrl, resolveOr404 } from "@/server/pages/page-api";

type Props = PageProps<"/disputes/[id]">;

const loadDispute = cache(async (disputeId: string) => {
  const api = await getPageApi();
  const dispute = await resolveOr404(api.disputes.get({ disputeId }));
  const { contractorAgentAddress, requesterAgentAddress } = dispute;
  return {
    dispute,
    names: await api.explorer.names([contractorAgentAddress, requesterAgentAddress]),
  };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { dispute, names } = await loadDispute((await params).id);
  const state = describeState(dispute);
  const { contractorAgentAddress, requesterAgentAddress } = dispute;
  const [contractor, client] = [contractorAgentAddress, requesterAgentAddress].map((wallet) =>
    isolateText(names[wallet] ?? shortenHex(wallet)),
  );
  return describePage({
    path: `/disputes/${dispute.disputeId}`,
    title: `Dispute about ${dispute.title ? isolateText(dispute.title) : withArticle(nameJob(dispute.taskCategory))}: ${state}`,
    description: `Dispute about a job that ${contractor} did for ${client}. ${capitalize(state)}. Opened on ${formatDay(dispute.openedAt)}.`,
  });
}

export default async function DisputePage({ params }: Props) {
  const { dispute, names } = await loadDispute((await params).id);
  const { outcomeId, disputeId } = dispute;
  const api = await getPageApi();
  const [network, outcome, effects, examinations, origin] = await Promise.all([
    api.network.get(),
    resolveOr404(api.outcomes.get({ outcomeId })),
    resolveOr404(api.explorer.outcomeEffects({ outcomeId })),
    api.disputes.examinations({ disputeId }),
    getSiteUrl(),
  ]);
  return (
    <>
      <Breadcrumbs
        origin={origin}
        parents={[{ label: "Disputes", path: "/disputes" }]}
        current={disputeId.slice(0, 8)}
      />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span>
          Opened <Time at={dispute.openedAt} isExact />
        </span>
        {dispute.simulated && <SimulatedMark />}
      </p>
      <Headline dispute={dispute} names={names} />
      <div className="mt-6 grid grid-cols-1 gap-6">
        {dispute.status === "OPEN" && <DisputeStatus {...{ dispute, outcome, network }} />}
        <DisputeFigures dispute={dispute} effects={effects} valueUsdc={outcome.valueUsdc} />
        <Claims dispute={dispute} names={names} />
        <div className={`grid grid-cols-1 gap-6 ${dispute.reason ? "lg:grid-cols-[3fr_2fr]" : ""}`}>
          {dispute.reason && (
            <Panel title="Reasoning">
              <ReviewReasoning dispute={dispute} examinations={examinations} />
            </Panel>
          )}
          <Panel title="Timeline">
            <DisputeSteps dispute={dispute} />
          </Panel>
        </div>
        <DisputeRecords dispute={dispute} explorerUrl={network.explorerUrl} />
      </div>
    </>
  );
}

/** Names the disputed job, who won or what the dispute waits for, and the parties. */
function Headline({ dispute, names }: { dispute: Dispute; names: Names }) {
  const { outcomeId, contractorAgentAddress, requesterAgentAddress } = dispute;
  return (
    <>
      <h1 className="mt-3 text-2xl leading-snug font-semibold break-words sm:text-3xl">
        <JobTitle {...dispute} />{" "}
        <span className="block text-xl sm:text-2xl">
          {dispute.resolvedAt
            ? describeEnd(dispute, (wallet) => isolateText(names[wallet] ?? shortenHex(wallet)))
            : `Dispute: ${describeState(dispute)}`}
        </span>
      </h1>
      <p className="mt-2 break-words text-muted">
        <AgentLink wallet={contractorAgentAddress} name={names[contractorAgentAddress]} /> worked
        for <AgentLink wallet={requesterAgentAddress} name={names[requesterAgentAddress]} />.{" "}
        <TextLink href={`/outcomes/${outcomeId}`}>See the job</TextLink>
      </p>
    </>
  );
}
