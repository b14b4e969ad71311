import type { Metadata } from "next";
import { cache } from "react";
import { RequirementResults } from "@/components/outcomes/fact-list";
import { GiveFeedback } from "@/components/outcomes/give-feedback";
import { OutcomeHeadline } from "@/components/outcomes/outcome-headline";
import { OutcomeRecords } from "@/components/outcomes/outcome-records";
import { OutcomeSteps } from "@/components/outcomes/outcome-steps";
import { PartyActions } from "@/components/outcomes/party-actions";
import { PendingVerdict } from "@/components/outcomes/pending-verdict";
import { Reasoning } from "@/components/outcomes/reasoning";
import { ScoreEffect } from "@/components/outcomes/score-effect";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { describeOutcomePage, describePage } from "@/components/social/describe-page";
import { formatDateTime, formatDay } from "@/components/ui/format";
import { Panel } from "@/components/ui/panel";
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
  const [network, optionalWallets, judge, terms, judgement, dispute, effects, { jobs }] =
    await Promise.all([
      api.network.get(),
      api.network.furtherWallets(),
      api.judge.get(),
      api.disputes.terms(),
      status === "RESOLVED" ? resolveOrNull(api.outcomes.judgement({ outcomeId })) : null,
      disputeId ? resolveOrNull(api.disputes.get({ disputeId })) : null,
      resolveOr404(api.explorer.outcomeEffects({ outcomeId })),
      api.escrows.ofOutcome({ outcomeId }),
    ]);
  const shared = { network, optionalWallets, judge, terms, judgement, dispute, effects };
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
  const { network, terms, judgement, dispute, effects, escrowJobs } = details;
  const { explorerUrl, erc8004, stakeUsdc } = network;
  const isResolved = outcome.status === "RESOLVED";
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
      <OutcomeHeadline
        outcome={outcome}
        names={names}
        effects={effects}
        escrowJobs={escrowJobs}
        explorerUrl={explorerUrl}
        isSimulated={Boolean(outcome.simulated || (outcome.rebuilt && !judgement))}
      />
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Explanation outcome={outcome} now={now} {...details} />
          {isResolved && <ScoreEffect changes={effects.changes} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Panel title="Timeline">
            <OutcomeSteps outcome={outcome} dispute={dispute} explorerUrl={explorerUrl} />
          </Panel>
          <PartyActions
            {...{ outcome, dispute, terms, stakeUsdc, now }}
            ifOverturned={effects.ifOverturned}
          />
          {isResolved && erc8004 && (
            <GiveFeedback
              outcomeId={outcomeId}
              requester={outcome.requesterAgentAddress}
              network={network}
              optionalWallets={details.optionalWallets}
            />
          )}
        </div>
        <div className="lg:col-span-2">
          <OutcomeRecords outcome={outcome} judgement={judgement} explorerUrl={explorerUrl} />
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
    </>
  );
}
