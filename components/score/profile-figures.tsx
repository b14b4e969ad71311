import { Icon } from "@/components/ui/icon";
import { EVIDENCE_FROM, EVIDENCE_LABELS } from "@/server/reputation/policy";

const MODERATE = EVIDENCE_FROM.moderate * 100;
const STRONG = EVIDENCE_FROM.strong * 100;
/** Name, range of the confidence, and the width and opacity of its part of the scale. */
const LEVELS = [
  [EVIDENCE_LABELS.limited, `under ${MODERATE}%`, MODERATE, 0.3],
  [EVIDENCE_LABELS.moderate, `from ${MODERATE}%`, STRONG - MODERATE, 0.6],
  [EVIDENCE_LABELS.strong, `from ${STRONG}%`, 100 - STRONG, 1],
] as const;

/** Draws the levels of evidence on the scale of confidence. */
export function EvidenceLevels() {
  return (
    <ul className="flex gap-1">
      {LEVELS.map(([name, range, share, opacity]) => (
        <li key={name} style={{ width: `${share}%` }}>
          <span className="block h-3 rounded-sm bg-accent" style={{ opacity }} aria-hidden="true" />
          <span className="mt-1.5 block text-sm font-medium">{name}</span>
          <span className="block text-sm text-muted">{range}</span>
        </li>
      ))}
    </ul>
  );
}

const TRIANGLE = "M8 1.8l6.4 11.4H1.6zM8 6.2v3.4M8 11.2v.4";
const DIAMOND = "M8 1l7 7-7 7-7-7zM8 5v3.6M8 10.4v.6";
const CIRCLE = "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 7.4v3.4M8 5v.1";

const SEVERITIES = {
  danger: ["Danger", "text-bad", TRIANGLE],
  caution: ["Caution", "text-notice-ink", DIAMOND],
  notice: ["Notice", "text-muted", CIRCLE],
} as const;

/** Thresholds of the flags, from the server's rules. */
interface Rules {
  collapsePoints: number;
  failuresInARow: number;
  dormantDays: number;
}

/** Lists the risk flags with their rules, the most severe first. */
export function RiskFlagRules({ rules }: { rules: Rules }) {
  const flags = [
    ["danger", "Recent collapse", `${rules.collapsePoints} points lost within 30 days`],
    ["danger", "Fails often", "under half of the paid work succeeded, by weight"],
    ["danger", "Failures in a row", `the newest ${rules.failuresInARow} or more all failed`],
    ["danger", "Ring payments", "clients and agent mostly pay each other"],
    ["caution", "Overturned verdicts", "a dispute turned a success into a failure"],
    ["caution", "Single client", "one client has 80% of the counted jobs"],
    ["caution", "Few confirmed clients", "fewer than three paid or are anchors"],
    ["caution", "Unverified wallet", "nothing proves who owns it"],
    ["notice", "Reported failures", "not yet counted: their days of grace"],
    ["notice", "Dormant", `no outcome for ${rules.dormantDays} days`],
  ] as const;
  return (
    <ul className="grid gap-x-10 text-sm md:grid-cols-2">
      {flags.map(([severity, name, rule]) => {
        const [label, tone, path] = SEVERITIES[severity];
        return (
          <li
            key={name}
            className="flex min-h-9 flex-wrap items-center gap-x-2.5 border-b border-line py-1.5"
          >
            <span className={`inline-flex items-center gap-2 font-medium ${tone}`}>
              <Icon path={path} className="size-4 shrink-0" box={16} />
              <span className="sr-only">{label}: </span>
              {name}
            </span>
            <span className="text-muted max-sm:basis-full max-sm:pl-6 sm:ml-auto">{rule}</span>
          </li>
        );
      })}
    </ul>
  );
}
