import { averageRate, findContacts } from "@/components/judging/first-contacts";
import { JudgeAbilities } from "@/components/judging/judge-abilities";
import { formatPercent } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";

interface Props {
  judge: JudgeInService;
  /** First results of judges on blind sets. */
  contacts: readonly FirstContact[];
}

/** States what the judge in service can and cannot do, with its measured accuracy. */
export function JudgeSummary({ judge, contacts }: Props) {
  const met = findContacts(judge, contacts);
  const [accepted, rejected] = [averageRate(met, "tpr"), averageRate(met, "tnr")];
  return (
    <section className="mt-10">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-2xl font-semibold">The judge</h2>
        <TextLink href="/judge" className="inline-flex min-h-6 items-center text-sm">
          {judge.id}
        </TextLink>
      </div>
      {judge.status === "unavailable" && (
        <p className="mt-3 rounded-md bg-notice px-3 py-2 text-sm text-notice-ink">
          Unavailable now. Outcomes wait until it is back.
        </p>
      )}
      <div className="mt-3">
        <JudgeAbilities kind={judge.kind} />
      </div>
      {accepted !== null && rejected !== null && (
        <dl className="mt-3 grid grid-cols-2 gap-4 text-sm">
          <div>
            <dt className="text-muted">Good work accepted</dt>
            <dd className="font-serif text-2xl font-semibold">{formatPercent(accepted)}</dd>
          </div>
          <div>
            <dt className="text-muted">Bad work rejected</dt>
            <dd className="font-serif text-2xl font-semibold">{formatPercent(rejected)}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}
