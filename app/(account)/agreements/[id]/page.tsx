import type { Metadata } from "next";
import { LiveRecords } from "@/app/(account)/live-records";
import { SignInFirst } from "@/components/account/sign-in-first";
import { AgentLink } from "@/components/agents/agent-link";
import { ClientRecordFacts } from "@/components/agents/client-record";
import { AgreementActions } from "@/components/agreements/agreement-actions";
import { AgreementFigures } from "@/components/agreements/agreement-figures";
import { AgreementSteps } from "@/components/agreements/agreement-steps";
import { DeliveryPayment } from "@/components/agreements/delivery-payment";
import { describeState, getNextStep, getRole } from "@/components/agreements/next-step";
import { RequirementTerms } from "@/components/agreements/requirement-terms";
import { SignedTerms } from "@/components/agreements/signed-terms";
import { TermsSentence } from "@/components/agreements/terms-sentence";
import { UnresponsivePages } from "@/components/agreements/unresponsive-pages";
import { EscrowLine } from "@/components/outcomes/escrow-line";
import { RequirementResults } from "@/components/outcomes/fact-list";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { fromMicro } from "@/server/lib/usdc";
import { getOwnerApi, getSiteOrigin, readAccount, resolveOr404 } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Agreement", robots: { index: false } };

export default async function AgreementPage({ params }: PageProps<"/agreements/[id]">) {
  const account = await readAccount();
  if (!account?.agent?.walletVerified) {
    return (
      <SignInFirst
        title="Agreement"
        reason="Only its two parties can open it: sign in with the wallet of one."
        isSignedIn={account !== null}
      />
    );
  }
  const { walletAddress } = account;
  const api = await getOwnerApi();
  const agreement = await resolveOr404(api.agreements.get({ agreementId: (await params).id }));
  const { terms, agreementId, outcomeId } = agreement;
  const [outcome, names, origin, network, { jobs }] = await Promise.all([
    outcomeId ? api.outcomes.get({ outcomeId }) : null,
    api.explorer.names([terms.contractor, terms.requester]),
    getSiteOrigin(),
    api.network.get(),
    api.escrows.ofAgreement({ agreementId }),
  ]);
  const role = getRole(terms, walletAddress);
  const next = getNextStep(agreement, Date.now());
  const isOwn = next.party === role;
  const actions = next.step !== "nothing" && (
    <Panel title={describeState(agreement, next, role)}>
      <noscript>
        <p className="mb-4">This needs JavaScript: a wallet signs in the browser.</p>
      </noscript>
      <AgreementActions
        agreement={agreement}
        step={next.step}
        isOwn={isOwn}
        wallet={walletAddress}
        role={role}
        url={`${origin}/agreements/${agreementId}`}
      />
    </Panel>
  );
  const mustReadFirst = next.step === "sign" && isOwn;
  return (
    <div key={walletAddress}>
      <div className="flex justify-between gap-4 text-sm text-muted">
        <p>
          Agreement, {terms.category}. You are the {role === "contractor" ? "contractor" : "client"}
          .
        </p>
        <LiveRecords wallet={walletAddress} />
      </div>
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
      {jobs.map((job) => (
        <EscrowLine key={job.jobId} job={job} explorerUrl={network.explorerUrl} />
      ))}
      <div className="mt-6">
        <AgreementFigures agreement={agreement} outcome={outcome} next={next} role={role} />
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          {!mustReadFirst && actions}
          {outcome && <DeliveryPayment agreement={agreement} outcome={outcome} role={role} />}
          {outcome?.evidence?.agreement && (
            <Panel title="Results">
              <RequirementResults requirements={outcome.evidence.agreement.requirements} />
              <p className="mt-4">
                <TextLink href={`/outcomes/${outcome.outcomeId}`}>See the outcome</TextLink>
              </p>
            </Panel>
          )}
          <Panel title="What must hold">
            <RequirementTerms
              requirements={terms.requirements}
              descriptions={agreement.requirements}
            />
            {next.step !== "nothing" && (
              <p className="mt-4 text-sm text-muted">
                {agreement.checkPassedAt
                  ? "A deliverable has passed these requirements in a check of a party."
                  : "No deliverable has passed these requirements in a check yet."}
              </p>
            )}
            <div className="mt-4 empty:hidden">
              <UnresponsivePages urls={agreement.unresponsiveUrls} />
            </div>
            {terms.criteria.length > 0 && (
              <>
                <h3 className="mt-5 mb-1 font-medium">Criteria, decided by a language model</h3>
                <ul className="list-disc pl-5">
                  {terms.criteria.map((criterion) => (
                    <li key={criterion}>
                      <UntrustedText>{criterion}</UntrustedText>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Panel>
          <Panel title="Task" note="Explains the work. Only what must hold decides.">
            <p dir="auto" className="break-words whitespace-pre-line">
              <UntrustedText>{terms.task}</UntrustedText>
            </p>
          </Panel>
          {next.step === "sign" && role === "contractor" && (
            <Panel title="Your client's record">
              <ClientRecordFacts record={agreement.requesterAsClient} />
            </Panel>
          )}
          {mustReadFirst && actions}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Panel title="Timeline">
            <AgreementSteps agreement={agreement} outcome={outcome} />
          </Panel>
          <SignedTerms agreement={agreement} />
        </div>
      </div>
    </div>
  );
}
