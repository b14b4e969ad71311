import { averageRate, findContacts } from "@/components/judging/first-contacts";
import { nameJudge } from "@/components/judging/judge-abilities";
import { formatPercent } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";

interface Props {
  judge: JudgeInService;
  /** First results of judges on blind sets. */
  contacts: readonly FirstContact[];
}

/** Says what the success rate is worth: what the judge got right on work written without knowing its checks. */
export function JudgeNote({ judge, contacts }: Props) {
  const own = findContacts(judge, contacts);
  const rates = (["decided", "tnr", "tpr"] as const).map((rate) => averageRate(own, rate));
  const [assessed, rejected, accepted] = rates.map((rate) => formatPercent(rate ?? 0));
  return (
    <p className="mt-5 border-t border-line pt-4 text-sm text-pretty text-muted">
      Judged by <TextLink href="/judge">{nameJudge(judge)}</TextLink>,{" "}
      {rates.includes(null)
        ? "not measured on blind work."
        : `which in blind tests could assess ${assessed} of work, rejected ${rejected} of bad work and accepted ${accepted} of good work.`}
    </p>
  );
}
