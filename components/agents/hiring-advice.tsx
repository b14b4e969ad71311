import { Icon } from "@/components/ui/icon";
import { TextLink } from "@/components/ui/text-link";
import type { Names, RiskAssessment, WalletProfile } from "@/server/explorer/schema";
import { type ListedFlag, RiskFlags } from "./risk-flags";
import { RISK_LEVELS } from "./risk-levels";

interface Props {
  profile: Pick<WalletProfile, "recommendation" | "risk">;
  names: Names;
}

/** Shows whether to hire the agent, why, and every risk with its evidence. */
export function HiringAdvice({ profile: { recommendation, risk }, names }: Props) {
  const { action, summary, reasons } = recommendation;
  const isGood = action === "hire";
  const { box, text, path } =
    RISK_LEVELS[risk.level === "none" ? (isGood ? "good" : "notice") : risk.level];
  const titles = risk.flags.map(({ title }) => title);
  const others = reasons.filter((reason) => !titles.includes(reason));
  return (
    <section aria-label="Recommendation" className={`mt-5 rounded-lg px-4 py-3 ${box}`}>
      <p className={`flex items-center gap-2.5 text-lg font-semibold ${text}`}>
        <Icon path={path} className="size-6 shrink-0" strokeWidth={1.7} />
        {summary}
      </p>
      <p className="mt-0.5 text-sm sm:pl-8.5">
        {others.map((reason) => `${reason}. `)}
        <TextLink href="/how-it-works#recommendation">How we decide</TextLink>
      </p>
      {risk.flags.length > 0 && <RiskFlags flags={listFlags(risk.flags, names)} />}
    </section>
  );
}

/** Links shown for each flag. */
const SHOWN = 8;

/** Most outcomes or wallets that a flag names, however many there are. */
const NAMED = 20;

function describeHidden({ length }: readonly string[]): string {
  if (length <= SHOWN) return "";
  return length < NAMED ? `and ${length - SHOWN} more` : "and more";
}

/** Returns what the page shows of each flag, which can refer to hundreds of outcomes. */
function listFlags(flags: RiskAssessment["flags"], names: Names): ListedFlag[] {
  return flags.map(({ risk, severity, title, detail, outcomeIds, wallets }) => ({
    severity,
    title,
    detail,
    outcomeIds: outcomeIds.slice(0, SHOWN),
    wallets: wallets.slice(0, SHOWN).map((wallet) => [wallet, names[wallet] ?? null]),
    walletLabel: risk === "ring-payments" ? "Wallets" : "Clients",
    hidden: [describeHidden(outcomeIds), describeHidden(wallets)],
  }));
}
