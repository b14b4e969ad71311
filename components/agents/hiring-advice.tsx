import type { ReactNode } from "react";
import { describeJob, type Job } from "@/components/compare/job";
import { JobTitle } from "@/components/outcomes/job-title";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { capitalizeFirst, formatCount, formatUsdc } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { TextLink } from "@/components/ui/text-link";
import type { RiskFlag } from "@/server/explorer/risk/schema";
import type { NamedJobs, Names, WalletProfile } from "@/server/explorer/schema";
import { buildAgreementUrl } from "./advice";
import { AgentLink } from "./agent-link";

interface Props {
  profile: Pick<WalletProfile, "walletAddress" | "recommendation" | "risk">;
  /** What the recommendation is for; missing for any. */
  job?: Job;
  names: Names;
  /** Those that the risks refer to. */
  jobs: NamedJobs;
  /** Whether it is the visitor's agent, which makes no agreement with itself. */
  isOwn: boolean;
}

const TRIANGLE = "M10 3l7.5 13.5h-15zM10 8.2v4M10 14.3v.1";
const CIRCLE = "M10 2.8a7.2 7.2 0 100 14.4 7.2 7.2 0 000-14.4z";
/** Color and shape of each level; the words say the same. */
const LEVELS = {
  danger: { box: "bg-bad/10", text: "text-bad", path: TRIANGLE },
  caution: { box: "bg-notice", text: "text-notice-ink", path: `${CIRCLE}M10 6.5v4.5M10 13.5v.1` },
  notice: { box: "bg-sunken", text: "text-ink", path: `${CIRCLE}M10 9v4.5M10 6.5v.1` },
  good: { box: "bg-good/10", text: "text-good", path: `${CIRCLE}M6.8 10.2l2.3 2.3 4.2-4.7` },
  jobs: { box: "", text: "text-muted", path: "M4 6h12M4 10h12M4 14h12" },
} as const;

/** Level of each advice about an agent without warnings. */
const UNWARNED = {
  hire: "good",
  "use-escrow": "caution",
  "do-not-hire": "danger",
  unknown: "notice",
} as const;

/**
 * Shows whether to hire the agent and why. Every risk opens to show what it means, and one list names the
 * jobs behind them.
 */
export function HiringAdvice({ profile, job = {}, names, jobs, isOwn }: Props) {
  const { recommendation, risk, walletAddress } = profile;
  const [headline = "", cause = ""] = recommendation.summary.replace(/\.$/, "").split(/: (.*)/);
  const subject = describeJob(job);
  const isGood = recommendation.action === "hire";
  const { box, text, path } =
    LEVELS[risk.level === "none" ? UNWARNED[recommendation.action] : risk.level];
  const titles = risk.flags.map(({ title }) => title);
  const lines = (isGood ? recommendation.reasons : [capitalizeFirst(cause)]).filter(
    (line) => line && !titles.includes(line),
  );
  return (
    <section aria-label="Recommendation" className={`mt-5 rounded-lg px-4 py-3 ${box}`}>
      <p className={`flex items-center gap-2.5 text-lg font-semibold ${text}`}>
        <Icon path={path} className="size-6 shrink-0" strokeWidth={1.7} />
        {subject && `For ${subject}: `}
        {headline}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-5 empty:hidden sm:pl-8.5">
        {risk.flags.map((flag) => (
          <Flag key={flag.title} flag={flag} names={names} />
        ))}
        {jobs.length > 0 && (
          <Opener title={`${formatCount(jobs.length, "job")} behind this`} level="jobs">
            <ul>
              {jobs.slice(0, SHOWN).map(({ outcomeId, valueUsdc, ...job }) => (
                <li key={outcomeId} className="py-0.5">
                  <TextLink href={`/outcomes/${outcomeId}`}>
                    <JobTitle {...job} />
                  </TextLink>
                  , {formatUsdc(valueUsdc)}
                </li>
              ))}
            </ul>
            {jobs.length > SHOWN && (
              <TextLink href={`/agents/${walletAddress}/jobs`}>All jobs</TextLink>
            )}
          </Opener>
        )}
      </ul>
      <p className="mt-0.5 text-sm sm:pl-8.5">
        {lines.map((line) => `${line}. `)}
        <TextLink href="/how-it-works#recommendation">How we decide</TextLink>
      </p>
      {!isOwn && recommendation.action !== "do-not-hire" && (
        <p className="mt-3 mb-1 flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm sm:pl-8.5 print:hidden">
          <OwnerPageLink
            href={buildAgreementUrl(walletAddress, recommendation, job)}
            className="rounded-md bg-accent px-4 py-2 text-base font-medium text-accent-ink hover:opacity-90"
          >
            Propose an agreement{isGood ? "" : " with escrow"}
          </OwnerPageLink>
          {isGood
            ? "You both sign first; code checks the result."
            : "You both sign, then you fund an escrow. The verdict releases or returns it."}
        </p>
      )}
    </section>
  );
}

function Flag({ flag, names }: { flag: RiskFlag; names: Names }) {
  const { risk, severity, title, detail, wallets } = flag;
  return (
    <Opener title={title} level={severity}>
      <p>{detail}</p>
      {wallets.length > 0 && (
        <p className="mt-1 flex flex-wrap items-center gap-x-3 leading-6">
          <span className="text-muted">{risk === "ring-payments" ? "Wallets" : "Clients"}</span>
          {wallets.slice(0, SHOWN).map((wallet) => (
            <AgentLink key={wallet} wallet={wallet} name={names[wallet]} />
          ))}
          {wallets.length > SHOWN && <span className="text-muted">and others</span>}
        </p>
      )}
    </Opener>
  );
}

interface OpenerProps {
  title: string;
  level: keyof typeof LEVELS;
  children: ReactNode;
}

function Opener({ title, level, children }: OpenerProps) {
  const { text, path } = LEVELS[level];
  return (
    <li className="max-w-full has-[details[open]]:basis-full">
      <details className="group">
        <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 text-sm [&::-webkit-details-marker]:hidden">
          <Icon path={path} className={`size-4 shrink-0 ${text}`} strokeWidth={1.7} />
          <span className="underline decoration-dotted underline-offset-4">{title}</span>
          <Icon
            path="M4.5 6.5L8 10l3.5-3.5"
            className="size-3.5 shrink-0 transition-transform group-open:rotate-180"
            box={16}
          />
        </summary>
        <div className="max-w-prose pb-2 text-sm sm:pl-5.5">{children}</div>
      </details>
    </li>
  );
}

/** Links shown of each kind: a flag can refer to hundreds of outcomes. */
const SHOWN = 8;
