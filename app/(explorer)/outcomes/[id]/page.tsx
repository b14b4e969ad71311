import type { Metadata } from "next";
import { cache } from "react";
import { ScoreChanges } from "@/components/agents/score-changes";
import { getDisputeOption } from "@/components/disputes/dispute-option";
import { ReviewReason } from "@/components/disputes/review-reason";
import { EscrowLine } from "@/components/outcomes/escrow-line";
import { RequirementResults } from "@/components/outcomes/fact-list";
import { GiveFeedback } from "@/components/outcomes/give-feedback";
import { JudgementFacts } from "@/components/outcomes/judgement-facts";
import { OutcomeFigures } from "@/components/outcomes/outcome-figures";
import { OutcomeHeadline } from "@/components/outcomes/outcome-headline";
import { OutcomeRecords } from "@/components/outcomes/outcome-records";
import { OutcomeSteps } from "@/components/outcomes/outcome-steps";
import { PartyActions } from "@/components/outcomes/party-actions";
import { PendingVerdict } from "@/components/outcomes/pending-verdict";
import { Reasoning } from "@/components/outcomes/reasoning";
import { getResult, nameResult } from "@/components/outcomes/result";
import { getMove } from "@/components/outcomes/score-move";
import { SimulatedMark } from "@/components/outcomes/verdict-mark";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describePage } from "@/components/social/describe-page";
import {
  formatDateTime,
  formatDay,
  formatUsdc,
  shortenHex,
  withArticle,
} from "@/components/ui/format";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { formatPoints, hasPoints } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { getOembedUrl } from "@/server/explorer/oembed";
import { isolateText } from "@/server/lib/bidi";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, getSiteUrl, resolveOr404, resolveOrNull } from "@/server/pages/page-api";

type Props = PageProps<"/outcomes/[id]">;

const loadOutcome = cache(async (outcomeId: string) => {
  const api = await getPageApi();
  const outcome = await resolveOr404(api.outcomes.get({ outcomeId }));
  return { outcome, names: await api.explorer.names(listParties([outcome])) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { outcome, names } = await loadOutcome((await params).id);
  const { contractorAgentAddress, requesterAgentAddress } = outcome;
  const [contractor, client] = [contractorAgentAddress, requesterAgentAddress].map((wallet) =>
    isolateText(names[wallet] ?? shortenHex(wallet)),
  );
  const path = `/outcomes/${outcome.outcomeId}`;
  const result = nameResult(getResult(outcome));
  const day = formatDay(outcome.resolvedAt ?? outcome.submittedAt);
  return describePage({
    path,
    title: `${contractor}: ${result} for ${client}`,
    description: `${contractor} did ${withArticle(outcome.taskCategory)} job for ${client}, ${formatUsdc(outcome.valueUsdc)}: ${result}, ${outcome.resolvedAt ? "recorded on chain on" : "submitted on"} ${day}.`,
    types: { "application/json+oembed": getOembedUrl(await getSiteUrl(), path) },
  });
}

export default async function OutcomePage({ params }: Props) {
  const { outcome, names } = await loadOutcome((await params).id);
  const { outcomeId, disputeId, taskCategory } = outcome;
  const api = await getPageApi();
  const isResolved = outcome.status === "RESOLVED";
  const [network, optionalWallets, judge, terms, judgement, dispute, effects, origin, escrow] =
    await Promise.all([
      api.network.get(),
      api.network.furtherWallets(),
      api.judge.get(),
      api.disputes.terms(),
      isResolved ? resolveOrNull(api.outcomes.judgement({ outcomeId })) : null,
      disputeId ? resolveOrNull(api.disputes.get({ disputeId })) : null,
      resolveOr404(api.explorer.outcomeEffects({ outcomeId })),
      getSiteUrl(),
      api.escrows.ofOutcome({ outcomeId }),
    ]);
  const now = Date.now();
  const effect = isResolved ? getMove(effects.changes) : null;
  return (
    <>
      <Breadcrumbs
        origin={origin}
        parents={[
          { label: "Outcomes", path: "/outcomes" },
          { label: taskCategory, path: `/outcomes?category=${taskCategory}` },
        ]}
        current={outcomeId.slice(0, 8)}
      />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span>
          Submitted <Time at={outcome.submittedAt} />
        </span>
        {(outcome.simulated || (outcome.rebuilt && !judgement)) && <SimulatedMark />}
      </p>
      <OutcomeHeadline outcome={outcome} names={names} effect={effect} />
      {outcome.refund && (
        <p className="mt-2">
          {outcome.refund.status === "recorded"
            ? "Payment refunded. This outcome no longer counts."
            : "Payment refunded. The refund is being recorded on chain."}
        </p>
      )}
      {outcome.superseded && (
        <p className="mt-2">
          The client submitted{" "}
          <TextLink href={`/outcomes/${outcome.superseded.by}`}>its own outcome</TextLink> for this
          payment. This one no longer counts.
        </p>
      )}
      {escrow.jobs.map((job) => (
        <EscrowLine key={job.jobId} job={job} explorerUrl={network.explorerUrl} />
      ))}
      <div className="mt-6">
        <OutcomeFigures
          outcome={outcome}
          dispute={dispute}
          effects={effects}
          effect={effect}
          option={getDisputeOption(outcome, terms, now)}
          explorerUrl={network.explorerUrl}
        />
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_1fr] lg:[&>*]:col-start-2">
        {/* Before the reasoning on phones, since it has deadlines. */}
        <PartyActions
          outcome={outcome}
          dispute={dispute}
          terms={terms}
          stakeUsdc={network.stakeUsdc}
          ifOverturned={effects.ifOverturned}
          now={now}
        />
        <div className="grid gap-6 max-lg:grid-cols-1 lg:col-start-1! lg:row-span-2 lg:row-start-1">
          {!isResolved && (
            <Panel title="Judging">
              <PendingVerdict
                outcomeId={outcomeId}
                submittedAt={outcome.submittedAt}
                judge={judge}
                waitedMs={now - Date.parse(outcome.submittedAt)}
              />
            </Panel>
          )}
          {outcome.evidence?.agreement && (
            <Panel
              title={`Agreed by both on ${formatDay(outcome.evidence.agreement.agreedAt)}`}
              note={`Signed before the work, to be delivered by ${formatDateTime(outcome.evidence.agreement.deliverBy * 1_000)}`}
            >
              <RequirementResults requirements={outcome.evidence.agreement.requirements} />
              <p className="mt-3 text-sm text-muted">
                Code decides requirements. A dispute only repeats that, on the stored deliverable.
              </p>
            </Panel>
          )}
          {isResolved && (judgement || outcome.llmJudgeReasoning) && (
            <Panel title="Reasoning">
              {dispute?.reason && (
                <>
                  <h3 className="font-medium">After the dispute</h3>
                  <ReviewReason reason={dispute.reason} />
                  <h3 className="mt-5 mb-1 border-t border-line pt-5 font-medium">
                    Original verdict
                  </h3>
                </>
              )}
              {judgement ? (
                <Reasoning outcome={outcome} judgement={judgement} />
              ) : (
                <p className="break-words">{outcome.llmJudgeReasoning}</p>
              )}
            </Panel>
          )}
          {judgement && <JudgementFacts judgement={judgement} />}
        </div>
        <div className="grid grid-cols-1 gap-6">
          <Panel title="Timeline">
            <OutcomeSteps outcome={outcome} dispute={dispute} />
          </Panel>
          {effect !== null && effects.changes.length > 0 && (
            <FoldedPanel
              title="Effect on the score"
              note={hasPoints(effect) ? formatPoints(effect) : "No change"}
            >
              <ScoreChanges moves={effects.changes} isOfOutcome />
            </FoldedPanel>
          )}
          {isResolved && network.erc8004 && (
            <GiveFeedback
              outcomeId={outcomeId}
              requester={outcome.requesterAgentAddress}
              network={network}
              optionalWallets={optionalWallets}
            />
          )}
          <OutcomeRecords outcome={outcome} explorerUrl={network.explorerUrl} />
        </div>
      </div>
    </>
  );
}
