import { Icon } from "@/components/ui/icon";
import type { Names, RiskAssessment } from "@/server/explorer/schema";
import { type ListedFlag, RiskFlags } from "./risk-flags";
import { RISK_LEVELS } from "./risk-levels";

interface Props {
  risk: RiskAssessment;
  names: Names;
  /** Whether it is established enough for the absence of warnings to be good news. */
  isEstablished: boolean;
}

/** Shows the advice for clients, and every risk with its evidence. */
export function RiskVerdict({ risk: { level, advice, flags }, names, isEstablished }: Props) {
  const isGood = isEstablished && flags.length === 0;
  const { box, text, path } = RISK_LEVELS[level === "none" ? (isGood ? "good" : "notice") : level];
  return (
    <section aria-label="Advice" className={`mt-5 rounded-lg px-4 py-3 ${box}`}>
      <p className={`flex items-center gap-2.5 text-lg font-semibold ${text}`}>
        <Icon path={path} className="size-6 shrink-0" strokeWidth={1.7} />
        {advice}
      </p>
      {flags.length > 0 && <RiskFlags flags={listFlags(flags, names)} />}
    </section>
  );
}

/** Links shown for each flag. */
const SHOWN = 8;

/** Returns what the page shows of each flag, which can refer to hundreds of outcomes. */
function listFlags(flags: RiskAssessment["flags"], names: Names): ListedFlag[] {
  return flags.map(({ risk, severity, title, detail, outcomeIds, wallets }) => ({
    severity,
    title,
    detail,
    outcomeIds: outcomeIds.slice(0, SHOWN),
    wallets: wallets.slice(0, SHOWN).map((wallet) => [wallet, names[wallet] ?? null]),
    walletLabel: risk === "ring-payments" ? "Wallets" : "Clients",
    hidden: [Math.max(0, outcomeIds.length - SHOWN), Math.max(0, wallets.length - SHOWN)],
  }));
}
