import type { Metadata } from "next";
import { cache } from "react";
import { Claims } from "@/components/disputes/claims";
import {
  describeEnd,
  describeState,
  explainUnassessed,
} from "@/components/disputes/describe-dispute";
import { DisputeRecords } from "@/components/disputes/dispute-records";
import { DisputeStatus } from "@/components/disputes/dispute-status";
import { DisputeSteps } from "@/components/disputes/dispute-steps";
import { RecordHeadline } from "@/components/outcomes/outcome-headline";
import { ReviewReasoning } from "@/components/outcomes/reasoning";
import { ScoreEffect } from "@/components/outcomes/score-effect";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { nameParty } from "@/components/site/party-name";
import { describePage } from "@/components/social/describe-page";
import { capitalize, formatDay, formatUsdc, withArticle } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
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
    nameParty({ walletAddress: wallet, name: names[wallet] }),
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
  const { explorerUrl } = network;
  return (
    <>
      <Breadcrumbs
        origin={origin}
        parents={[{ label: "Disputes", path: "/disputes" }]}
        current={disputeId.slice(0, 8)}
      />
      <RecordHeadline
        state={
          dispute.resolvedAt
            ? describeEnd(dispute, (wallet) =>
                nameParty({ walletAddress: wallet, name: names[wallet] }),
              )
            : `Dispute: ${describeState(dispute)}`
        }
        job={dispute}
        names={names}
        isSimulated={dispute.simulated}
      >
        <p>
          {formatUsdc(outcome.valueUsdc)}.{" "}
          <TextLink href={`/outcomes/${outcomeId}`}>See the job</TextLink>
        </p>
        <p className="empty:hidden">{explainUnassessed(dispute)}</p>
      </RecordHeadline>
      <div className="mt-6 grid grid-cols-1 gap-6">
        {dispute.status === "OPEN" && <DisputeStatus {...{ dispute, outcome, network }} />}
        <Claims dispute={dispute} names={names} />
        <div
          className={`grid grid-cols-1 items-start gap-6 ${dispute.reason ? "lg:grid-cols-[3fr_2fr]" : ""}`}
        >
          {dispute.reason && (
            <div className="grid min-w-0 grid-cols-1 gap-6">
              <Panel title="Reasoning">
                <ReviewReasoning dispute={dispute} examinations={examinations} />
              </Panel>
              <ScoreEffect
                changes={effects.changes.filter((change) => change.disputeId === disputeId)}
              />
            </div>
          )}
          <Panel title="Timeline">
            <DisputeSteps dispute={dispute} explorerUrl={explorerUrl} />
          </Panel>
        </div>
        <DisputeRecords dispute={dispute} explorerUrl={explorerUrl} />
      </div>
    </>
  );
}
