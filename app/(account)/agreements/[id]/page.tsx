import type { Metadata } from "next";
import { LiveRecords } from "@/app/(account)/live-records";
import { SignInFirst } from "@/components/account/sign-in-first";
import { AgentLink } from "@/components/agents/agent-link";
import { AgreementActions } from "@/components/agreements/agreement-actions";
import { describeTurn, getNextStep, getRole } from "@/components/agreements/next-step";
import { RequirementsPanel } from "@/components/agreements/requirement-terms";
import { SignedTerms } from "@/components/agreements/signed-terms";
import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { EscrowLine } from "@/components/outcomes/escrow-line";
import { JobTitle } from "@/components/outcomes/job-title";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Deadline } from "@/components/ui/deadline";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { MoreLink } from "@/components/ui/text-link";
import { fromMicro } from "@/server/lib/usdc";
import { getOwnerApi, getSiteOrigin, readAccount, resolveOr404 } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Agreement", robots: { index: false } };

const PAYMENTS = {
  upfront: "upfront",
  escrow: "by escrow",
  "on-delivery": "on delivery",
};

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
  const result = outcome && getResult(outcome);
  const isReadable =
    agreement.status === "DELIVERED" &&
    (role === "contractor" || result === "SUCCESS" || terms.payment === "upfront");
  return (
    <div key={walletAddress}>
      <div className="flex justify-between gap-4 text-sm text-muted">
        <p>Agreement. You are the {PARTY_NAMES[role]}.</p>
        <LiveRecords wallet={walletAddress} />
      </div>
      <div className="mt-2 break-words">
        <PageTitle>
          <JobTitle title={terms.title} taskCategory={terms.category} />
        </PageTitle>
        <p className="mt-2">
          <AgentLink wallet={terms.contractor} name={names[terms.contractor]} /> for{" "}
          <AgentLink wallet={terms.requester} name={names[terms.requester]} />,{" "}
          {formatUsdc(fromMicro(Number(terms.valueMicro)))}
          {terms.valueMicro !== "0" && ` ${PAYMENTS[terms.payment]}`}, due{" "}
          <time dateTime={terms.deliverBy}>{formatDateTime(terms.deliverBy)}</time>
        </p>
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Panel
            title={
              // Without a role, it is part of the heading's name.
              <span
                aria-live="polite"
                aria-atomic
                className="flex flex-wrap items-baseline gap-x-3"
              >
                {result && <VerdictMark verdict={result} large />}
                {describeTurn(agreement, outcome, next, role)}
              </span>
            }
            note={next.until && <Deadline at={next.until} />}
          >
            {escrowJobs.map((job) => (
              <EscrowLine key={job.jobId} job={job} explorerUrl={explorerUrl} />
            ))}
            {result && (
              <p className="mb-4 flex flex-wrap gap-x-5">
                <MoreLink href={`/outcomes/${agreement.outcomeId}`}>See the job</MoreLink>
                {isReadable && (
                  <MoreLink
                    href={`/dashboard/outcomes?outcome=${agreement.outcomeId}&show=deliverable`}
                  >
                    Read the deliverable
                  </MoreLink>
                )}
              </p>
            )}
            <noscript>
              <p className="mb-4">A wallet signs in the browser, which needs JavaScript.</p>
            </noscript>
            <AgreementActions
              {...{ agreement, job, next, role }}
              wallet={walletAddress}
              url={`${origin}/agreements/${id}`}
            />
          </Panel>
          <Panel title="Task" note="Explains the work. Only the requirements decide.">
            <p dir="auto" className="break-words whitespace-pre-line">
              <UntrustedText>{terms.task}</UntrustedText>
            </p>
          </Panel>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <RequirementsPanel agreement={agreement} outcome={outcome} />
          <SignedTerms agreement={agreement} explorerUrl={explorerUrl} />
        </div>
      </div>
    </div>
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
