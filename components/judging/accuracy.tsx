import { KeyFigures } from "@/components/site/key-figures";
import { Fold } from "@/components/ui/fold";
import { capitalize, formatAmount, formatDay, formatPercent } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import type { JudgeInService } from "@/server/judging/schema";
import type { BenchResult, BuiltinRun } from "@/server/pages/schema";
import { averageRate, findContacts, type Rate } from "./first-contacts";

const NUMBER = "py-1.5 pl-2 text-right sm:pl-6";

const RATES: [name: string, rate: Rate][] = [
  ["Work assessed at all", "decided"],
  ["Bad work rejected", "tnr"],
  ["Good work accepted", "tpr"],
];

interface Props {
  judge: JudgeInService;
  bench: BenchResult;
}

/** Sums up what the judge in service achieved on blind sets when it first met each, and on demand by check. */
export function MeasuredAccuracy({ judge, bench: { builtin, firstContacts } }: Props) {
  const contacts = findContacts(judge, firstContacts);
  if (contacts.length === 0) {
    return (
      <Notice title="Not measured">
        This judge has not met work that was written without knowing its checks.
      </Notice>
    );
  }
  const samples = contacts.reduce((sum, { n }) => sum + n, 0);
  const attacks = judge.kind === "heuristic" ? builtin?.attacksPassed : null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <KeyFigures
        figures={[
          ...RATES.map(([label, rate]) => {
            const average = averageRate(contacts, rate);
            return { label, value: average === null ? "Not measured" : formatPercent(average) };
          }),
          ...(attacks?.n
            ? [
                {
                  label: `Attacks that pass, of ${attacks.n}`,
                  value: formatPercent(attacks.count / attacks.n),
                },
              ]
            : []),
        ]}
      />
      <p className="text-sm text-muted">
        On {formatAmount(samples)} blind samples, written without knowing the checks, when it first
        met them.
      </p>
      {builtin && judge.kind === "heuristic" && (
        <Fold
          summary={`Each check on all samples, blind or not, as of ${formatDay(builtin.measuredOn)}`}
        >
          <Checks checks={builtin.checks} />
        </Fold>
      )}
    </div>
  );
}

/** Lists the results of each check by label: a check decides if its failures are nearly all bad work. */
function Checks({ checks }: Pick<BuiltinRun, "checks">) {
  const share = (part: number, rest: number) =>
    `${formatAmount(part)} of ${formatAmount(part + rest)}`;
  return (
    <Table
      caption="Results of each check on all sets"
      className="text-sm"
      rows={Object.entries(checks)}
      columns={[
        ["Check", "py-1.5 text-left", ([name]) => capitalize(name.replaceAll("-", " "))],
        ["Failed and bad", NUMBER, ([, { failed }]) => share(failed.bad, failed.good)],
        ["Passed and good", NUMBER, ([, { passed }]) => share(passed.good, passed.bad)],
      ]}
    />
  );
}
