import { Fold } from "@/components/ui/fold";
import { capitalize, formatAmount, formatDay, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { JudgeInService } from "@/server/judging/schema";
import type { BenchResults, BuiltinRun, FirstContact, ModelRun } from "@/server/pages/schema";
import { averageRate, FirstContacts, findContacts } from "./first-contacts";

const NUMBER = "py-2 pl-2 text-right sm:pl-3 lg:pl-6";
/** Of a column that a phone has no room for. */
const WIDE = `${NUMBER} max-sm:hidden`;

const COLUMNS = [
  ["Judge", "py-2 pr-2 whitespace-pre"],
  ["Set", "py-2"],
  ["Good work accepted", NUMBER],
  ["Bad work rejected", NUMBER],
  ["Attacks that pass", NUMBER],
  ["Calls", WIDE],
  ["Round trips", WIDE],
  ["Tokens in / out", WIDE],
  ["Third examinations", WIDE],
] as const;
/** Cells of which a whole column says nothing. */
const NOTHING = ["0", "–"];

interface Props {
  judge: JudgeInService;
  bench: BenchResults;
}

/** Shows what was measured of the judge in service, and on demand of each set, check and other judge. */
export function MeasuredAccuracy({ judge, bench }: Props) {
  const { builtin, firstContacts } = bench;
  const contacts = findContacts(judge, firstContacts);
  return (
    <div className="grid grid-cols-1 gap-4">
      <FirstContacts contacts={contacts} />
      {builtin && judge.kind === "heuristic" && (
        <Fold summary={`What each check found, ${formatDay(builtin.measuredOn)}`}>
          <Checks checks={builtin.checks} />
        </Fold>
      )}
      <Fold summary="All judges that were measured, and what a verdict takes them">
        <AllJudges {...bench} />
      </Fold>
    </div>
  );
}

function AllJudges({ models, builtin, firstContacts }: BenchResults) {
  const rows = [...models.map(describeModels), ...describeBuiltin(builtin, firstContacts)];
  return (
    <>
      <div className="overflow-x-auto">
        <Table
          caption="Measured accuracy of judges"
          className="text-sm"
          rows={rows}
          columns={COLUMNS.flatMap(([title, className], at) =>
            rows.some(({ [at]: cell = "" }) => !NOTHING.includes(cell))
              ? [[title, className, (row: string[]) => row[at]] as const]
              : [],
          )}
        />
      </div>
      {models.length > 0 && (
        <p className="mt-3 max-w-prose text-sm text-muted">
          Readers are language models, not people, and may be the same model. They got the questions
          as files, without internet. Such models also gave the labels, twice, the second time
          without sight of the first. Calls, round trips and tokens are per verdict; a token is
          counted as four characters.
        </p>
      )}
    </>
  );
}

type Count = ModelRun["goodPassed"];

const formatShare = (count: Count) =>
  count?.n ? `${formatPercent(count.count / count.n)} of ${count.n}` : "–";
const formatRate = (rate: number | null | undefined) => (rate == null ? "–" : formatPercent(rate));

const nameSet = (set: string) =>
  set === "held-out" ? "Cases kept apart" : "Cases seen beforehand";

/** Returns the cells of a row. */
function describeModels({ tokens, ...run }: ModelRun): string[] {
  return [
    run.models.join("\n"),
    `${nameSet(run.set)}, ${formatDay(run.measuredOn)}`,
    formatShare(run.goodPassed),
    formatShare(run.badFailed),
    formatShare(run.attacksPassed),
    run.calls.toFixed(1),
    run.roundTrips.toFixed(1),
    tokens
      ? `${formatAmount(Math.round(tokens.input))} / ${formatAmount(Math.round(tokens.output))}`
      : "–",
    formatAmount(run.thirdExaminations),
  ];
}

/** Describes the first results on the held-out set, which models are measured on too, and on all blind sets. */
function describeBuiltin(builtin: BuiltinRun | null, contacts: FirstContact[]): string[][] {
  const heldOut = contacts.filter(({ set }) => set === "held-out");
  const parts: [name: string, contacts: FirstContact[], attacks: Count][] = [
    [nameSet("held-out"), heldOut, null],
    [`${contacts.length} blind sets`, contacts, builtin?.attacksPassed ?? null],
  ];
  return parts
    .filter(([, some]) => some.length > 0)
    .map(([set, some, attacks]) => {
      const rates = (["tpr", "tnr"] as const).map((rate) => formatRate(averageRate(some, rate)));
      return ["Code only", set, ...rates, formatShare(attacks), "0", "0", "0", "0"];
    });
}

/** Lists the results of each check by label: a check decides if its failures are nearly all bad work. */
function Checks({ checks }: Pick<BuiltinRun, "checks">) {
  return (
    <Table
      caption="Results of each check on all sets"
      className="text-sm"
      rows={Object.entries(checks)}
      columns={[
        ["Check", "py-1.5 text-left", ([name]) => capitalize(name.replaceAll("-", " "))],
        [
          "Failed deliverables that are bad",
          NUMBER,
          ([, { failed }]) => `${failed.bad} of ${failed.bad + failed.good}`,
        ],
        [
          "Passed deliverables that are good",
          NUMBER,
          ([, { passed }]) => `${passed.good} of ${passed.bad + passed.good}`,
        ],
      ]}
    />
  );
}
