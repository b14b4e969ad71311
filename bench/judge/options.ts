import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { MANIFEST } from "./manifest";

export const HELP = `Measures a judge on labelled deliverables.

  npm run bench:judge -- [SET.jsonl ...] [options]

SET.jsonl has one case per line: {"id", "category", "task", "deliverable", "label"}; the label is
SUCCESS or FAILURE. A "technique", or an id that starts with att-, marks an attack on the judge. Without
a set, those of bench/judge/sets are measured.

Judge
  (default)          the configured one: OPENAI_API_KEY or OPENAI_BASE_URL, with JUDGE_MODEL
  --judge builtin    the built-in judge; needs no key and costs nothing
  --record FILE      stores every response of the model in FILE, and asks nothing that is in it: an
                     interrupted run continues there, and a complete one costs nothing again

Output
  --json             prints the figures as one JSON object
  --write            writes bench/results/judge.json for the built-in judge, where the first result on a
                     blind set (bench/judge/sets/manifest.json) stays, or bench/results/judge-model.json
                     for a model
  --fit              with --judge builtin and sets named *-blind.jsonl: counts how often each check was
                     right, and writes server/judging/checks/confidence.json

  --concurrency N    cases at once (default: 4)
  --yes              spends money; without it, the estimated cost is printed
  --help             prints this text`;

const SETS = [...MANIFEST.guiding, ...MANIFEST.blind];
const toPath = (name: string) => `bench/judge/sets/${name}.jsonl`;

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

export type Options = NonNullable<ReturnType<typeof parseOptions>>;

/** Parses the command line; null if it asks for help. Throws a `CommandError`. */
export function parseOptions(args: string[]) {
  const { values, positionals } = parseCommandLine(args, "--help lists the options.", {
    allowPositionals: true,
    options: {
      judge: text,
      record: text,
      json: flag,
      write: flag,
      fit: flag,
      concurrency: { ...text, default: "4" },
      yes: flag,
      help: { ...flag, short: "h" },
    },
  });
  const { help, judge, concurrency, ...rest } = values;
  if (help) return null;
  const sets = positionals.length === 0 ? SETS.map(toPath) : positionals;
  const isBuiltin = judge === "builtin";
  const problems: [condition: boolean, problem: string][] = [
    [judge !== undefined && !isBuiltin, `--judge accepts only "builtin", not "${judge}".`],
    [
      isBuiltin && rest.record !== undefined,
      "The built-in judge calls no model: there is nothing to record.",
    ],
    [
      rest.fit && !(isBuiltin && sets.every((file) => file.endsWith("-blind.jsonl"))),
      "Only the built-in judge is fitted, and to work that did not guide its checks: pass --judge builtin and files named *-blind.jsonl.",
    ],
    [
      !/^[1-9]\d?$/.test(concurrency),
      `--concurrency takes a number from 1 to 99, not "${concurrency}".`,
    ],
  ];
  const found = problems.find(([condition]) => condition);
  if (found) throw new CommandError(found[1]);
  return { ...rest, sets, isBuiltin, concurrency: Number(concurrency) };
}
