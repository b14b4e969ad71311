import type { Metadata } from "next";
import { cache } from "react";
import { ScoreChanges } from "@/components/agents/score-changes";
import { getDisputeOption } from "@/components/disputes/dispute-option";
import { RequirementResults } from "@/components/outcomes/fact-list";
import { GiveFeedback } from "@/components/outcomes/give-feedback";
import { JudgementFacts } from "@/components/outcomes/judgement-facts";
import { OutcomeFigures } from "@/components/outcomes/outcome-figures";
import { OutcomeHeadline } from "@/components/outcomes/outcome-headline";
import { OutcomeNotes } from "@/components/outcomes/outcome-notes";
import { OutcomeRecords } from "@/components/outcomes/outcome-records";
import { OutcomeSteps } from "@/components/outcomes/outcome-steps";
import { PartyActions } from "@/components/outcomes/party-actions";
import { PendingVerdict } from "@/components/outcomes/pending-verdict";
import { Reasoning } from "@/components/outcomes/reasoning";
import { getMove } from "@/components/outcomes/score-move";
import { SimulatedMark } from "@/components/outcomes/verdict-mark";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describeOutcomePage, describePage } from "@/components/social/describe-page";
import { formatDateTime, formatDay } from "@/components/ui/format";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { getOembedUrl } from "@/server/explorer/oembed";
import { labelCategory } from "@/server/lib/category-name";
import { listParties } from "@/server/outcomes/list-parties";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { getPageApi, getSiteUrl, resolveOr404, resolveOrNull } from "@/server/pages/page-api";

type Props = PageProps<"/outcomes/[id]">;

const loadOutcome = cache(async (outcomeId: string) => {
  const api = await getPageApi();
  const outcome = await resolveOr404(api.outcomes.get({ outcomeId }));
  return { outcome, names: await api.explorer.names(listParties([outcome])) };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { outcome, names } = await loadOutcome((await params).id);
  const page = describeOutcomePage(outcome, names);
  return describePage({
    ...page,
    types: { "application/json+oembed": getOembedUrl(await getSiteUrl(), page.path) },
  });
}

/** Loads what the page shows beside the outcome itself. */
async function loadDetails({ outcomeId, disputeId, status }: PublicOutcome) {
  const api = await getPageApi();
  const isResolved = status === "RESOLVED";
  const [network, optionalWallets, judge, terms, judgement, dispute, effects, { jobs }] =
    await Promise.all([
      api.network.get(),
      api.network.furtherWallets(),
      api.judge.get(),
      api.disputes.terms(),
      isResolved ? resolveOrNull(api.outcomes.judgement({ outcomeId })) : null,
      disputeId ? resolveOrNull(api.disputes.get({ disputeId })) : null,
      resolveOr404(api.explorer.outcomeEffects({ outcomeId })),
      api.escrows.ofOutcome({ outcomeId }),
    ]);
  const effect = isResolved ? getMove(effects.changes) : null;
  const shared = { network, optionalWallets, judge, terms, judgement, dispute, effects, effect };
  return { ...shared, escrowJobs: jobs };
}

interface PartProps extends Awaited<ReturnType<typeof loadDetails>> {
  outcome: PublicOutcome;
  /** Milliseconds. */
  now: number;
}

export default async function OutcomePage({ params }: Props) {
  const { outcome, names } = await loadOutcome((await params).id);
  const { outcomeId, taskCategory } = outcome;
  const [details, origin] = await Promise.all([loadDetails(outcome), getSiteUrl()]);
  const { network, terms, judgement, dispute, effects, effect, escrowJobs } = details;
  const { explorerUrl } = network;
  const now = Date.now();
  return (
    <>
      <Breadcrumbs
        origin={origin}
        parents={[
          { label: "Jobs", path: "/outcomes" },
          { label: labelCategory(taskCategory), path: `/outcomes?category=${taskCategory}` },
        ]}
        current={outcomeId.slice(0, 8)}
      />
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span>
          Submitted <Time at={outcome.submittedAt} isExact />
        </span>
        {(outcome.simulated || (outcome.rebuilt && !judgement)) && <SimulatedMark />}
      </p>
      <OutcomeHeadline outcome={outcome} names={names} />
      <OutcomeNotes outcome={outcome} escrowJobs={escrowJobs} explorerUrl={explorerUrl} />
      <div className="mt-6">
        <OutcomeFigures
          outcome={outcome}
          dispute={dispute}
          effects={effects}
          effect={effect}
          option={getDisputeOption(outcome, terms, now, effects.ifOverturned)}
          escrowJob={escrowJobs[0]}
          explorerUrl={explorerUrl}
        />
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="grid grid-cols-1 gap-6">
          <Explanation outcome={outcome} now={now} {...details} />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <PartyActions
            outcome={outcome}
            dispute={dispute}
            terms={terms}
            stakeUsdc={network.stakeUsdc}
            ifOverturned={effects.ifOverturned}
            now={now}
          />
          <History outcome={outcome} now={now} {...details} />
        </div>
      </div>
    </>
  );
}

/** Shows what was agreed and why the verdict is as it is, or the wait for it. */
function Explanation({ outcome, judge, judgement, dispute, now }: PartProps) {
  const { outcomeId, status, submittedAt, evidence, llmJudgeReasoning } = outcome;
  const agreement = evidence?.agreement;
  const isByRequirements = agreement && judgement?.examinations.length === 0;
  const review = dispute?.finalVerdict === dispute?.recordedVerdict ? undefined : dispute?.reason;
  const hasReasoning = judgement ? !isByRequirements || review : llmJudgeReasoning;
  return (
    <>
      {status !== "RESOLVED" && (
        <Panel title="Judging">
          <PendingVerdict
            outcome={{ outcomeId, status, submittedAt }}
            judge={judge}
            waitedMs={now - Date.parse(submittedAt)}
          />
        </Panel>
      )}
      {agreement && (
        <Panel
          title={`Agreed by both on ${formatDay(agreement.agreedAt)}`}
          note={`Signed before the work, to be delivered by ${formatDateTime(agreement.deliverBy * 1_000)}. Code decides each requirement.`}
        >
          {isByRequirements && agreement.requirements.length > 0 && (
            <p className="mb-4 text-lg break-words">{llmJudgeReasoning}</p>
          )}
          <RequirementResults requirements={agreement.requirements} />
        </Panel>
      )}
      {status === "RESOLVED" && hasReasoning && (
        <Panel title="Reasoning">
          {review && (
            <>
              <div className="mb-5 grid gap-1 border-b border-line pb-5 break-words">
                <h3 className="font-medium">After the dispute</h3>
                <p>{review.split("\n")[0]}</p>
              </div>
              {!isByRequirements && <h3 className="mb-1 font-medium">Before the dispute</h3>}
            </>
          )}
          {isByRequirements ? null : judgement ? (
            <Reasoning outcome={outcome} judgement={judgement} />
          ) : (
            <p className="break-words">{llmJudgeReasoning}</p>
          )}
        </Panel>
      )}
      {judgement && <JudgementFacts judgement={judgement} />}
    </>
  );
}

/** Shows the timeline, the effect on the score and the records. */
function History({ outcome, dispute, effects, effect, network, optionalWallets }: PartProps) {
  return (
    <>
      <Panel title="Timeline">
        <OutcomeSteps outcome={outcome} dispute={dispute} />
      </Panel>
      {effect !== null && effects.changes.length > 0 && (
        <FoldedPanel title="Effect on the score" note="Rule by rule">
          <ScoreChanges moves={effects.changes} isOfOutcome />
        </FoldedPanel>
      )}
      {effect !== null && network.erc8004 && (
        <GiveFeedback
          outcomeId={outcome.outcomeId}
          requester={outcome.requesterAgentAddress}
          network={network}
          optionalWallets={optionalWallets}
        />
      )}
      <OutcomeRecords outcome={outcome} explorerUrl={network.explorerUrl} />
    </>
  );
}
