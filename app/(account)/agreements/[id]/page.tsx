import type { Metadata } from "next";
import { LiveRecords } from "@/app/(account)/live-records";
import { SignInFirst } from "@/components/account/sign-in-first";
import { AgentLink } from "@/components/agents/agent-link";
import { ClientRecordFacts } from "@/components/agents/client-record";
import { AgreementActions } from "@/components/agreements/agreement-actions";
import { AgreementSteps, DeliveryPaid } from "@/components/agreements/agreement-steps";
import {
  describePayment,
  describeState,
  getNextStep,
  getRole,
  type NextStep,
} from "@/components/agreements/next-step";
import { RequirementsPanel } from "@/components/agreements/requirement-terms";
import { SignedTerms } from "@/components/agreements/signed-terms";
import { TermsSentence } from "@/components/agreements/terms-sentence";
import { EscrowLine } from "@/components/outcomes/outcome-notes";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Deadline } from "@/components/ui/deadline";
import { Panel } from "@/components/ui/panel";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { nameCategory } from "@/server/lib/category-name";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { getOwnerApi, getSiteOrigin, readAccount, resolveOr404 } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Agreement", robots: { index: false } };

export default async function AgreementPage({ params }: PageProps<"/agreements/[id]">) {
  const [account, { id }] = await Promise.all([readAccount(), params]);
  if (!account?.agent?.walletVerified) {
    return (
      <SignInFirst title="Agreement" to={`/agreements/${id}`} isSignedIn={account !== null}>
        Only its two parties can open it: sign in with the wallet of one.
      </SignInFirst>
    );
  }
  const { walletAddress } = account;
  const { agreement, outcome, origin, names, escrowJobs, explorerUrl } = await readAgreement(id);
  const { terms } = agreement;
  const role = getRole(terms, walletAddress);
  // Declined jobs don't count: anyone can create jobs for this agreement.
  const job = escrowJobs.find(({ status }) => status !== "declined");
  const next = getNextStep(agreement, outcome, Date.now(), escrowJobs.length > 0 ? job : null);
  return (
    <div key={walletAddress}>
      <div className="flex justify-between gap-4 text-sm text-muted">
        <p>
          Agreement, {nameCategory(terms.category)}. You are the{" "}
          {role === "contractor" ? "contractor" : "client"}.
        </p>
        <LiveRecords wallet={walletAddress} />
      </div>
      <Headline {...{ agreement, outcome, next, role, names }} />
      {escrowJobs.map((job) => (
        <EscrowLine key={job.jobId} job={job} explorerUrl={explorerUrl} />
      ))}
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <ActionPanel
            {...{ agreement, job, next, role, origin, wallet: walletAddress }}
            isOwn={next.party === role}
          />
          <RequirementsPanel agreement={agreement} outcome={outcome} />
          <Panel title="Task" note="Explains the work. Only the requirements decide.">
            <p dir="auto" className="break-words whitespace-pre-line">
              <UntrustedText>{terms.task}</UntrustedText>
            </p>
          </Panel>
          {next.step === "sign" && role === "contractor" && (
            <Panel title="Your client's record">
              <ClientRecordFacts record={agreement.requesterAsClient} />
            </Panel>
          )}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Panel title="Timeline">
            <AgreementSteps {...{ agreement, outcome, role }} />
          </Panel>
          <SignedTerms agreement={agreement} explorerUrl={explorerUrl} />
        </div>
      </div>
    </div>
  );
}

interface HeadlineProps extends Pick<Awaited<ReturnType<typeof readAgreement>>, "names"> {
  agreement: Agreement;
  outcome: PublicOutcome | null;
  next: NextStep;
  role: Party;
}

/** Says what was agreed, and what came of it. */
function Headline({ agreement, outcome, next, role, names }: HeadlineProps) {
  const { terms } = agreement;
  const isOver = next.step === "nothing";
  return (
    <>
      <h1 className="mt-3 max-w-4xl text-2xl leading-snug font-semibold break-words sm:text-3xl sm:leading-snug">
        <TermsSentence
          contractor={<AgentLink wallet={terms.contractor} name={names[terms.contractor]} />}
          client={<AgentLink wallet={terms.requester} name={names[terms.requester]} />}
          title={terms.title}
          valueUsdc={fromMicro(Number(terms.valueMicro))}
          payment={terms.payment}
          deliverBy={terms.deliverBy}
        />
      </h1>
      {(outcome || isOver) && (
        <p className="mt-4 flex flex-wrap items-baseline gap-x-6 gap-y-1 text-xl">
          {outcome && <VerdictMark verdict={getResult(outcome)} large />}
          {isOver &&
            (describePayment(agreement) ? (
              <DeliveryPaid {...{ agreement, role }} />
            ) : (
              describeState(agreement, next, role)
            ))}
        </p>
      )}
    </>
  );
}

async function readAgreement(agreementId: string) {
  const api = await getOwnerApi();
  const agreement = await resolveOr404(api.agreements.get({ agreementId }));
  const { terms, outcomeId } = agreement;
  const [outcome, names, origin, { explorerUrl }, { jobs }] = await Promise.all([
    outcomeId ? api.outcomes.get({ outcomeId }) : null,
    api.explorer.names([terms.contractor, terms.requester]),
    getSiteOrigin(),
    api.network.get(),
    api.escrows.ofAgreement({ agreementId }),
  ]);
  return { agreement, outcome, names, origin, explorerUrl, escrowJobs: jobs };
}

interface ActionPanelProps extends Omit<Parameters<typeof AgreementActions>[0], "url"> {
  origin: string;
}

/** Shows what the owner can do now; nothing once the agreement has ended. */
function ActionPanel({ next, origin, ...facts }: ActionPanelProps) {
  const { agreement, role } = facts;
  if (next.step === "nothing") return null;
  return (
    <Panel
      title={describeState(agreement, next, role)}
      note={next.until && <Deadline at={next.until} />}
    >
      <noscript>
        <p className="mb-4">This needs JavaScript: a wallet signs in the browser.</p>
      </noscript>
      <AgreementActions
        {...facts}
        next={next}
        url={`${origin}/agreements/${agreement.agreementId}`}
      />
    </Panel>
  );
}
