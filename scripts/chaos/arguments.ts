import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine } from "@/scripts/lib/command-line";

export interface Options {
  /** Minutes of load and faults; open work finishes after them. */
  faultMinutes: number;
  seed: number;
  /** Waits for every webhook retry, which takes fourteen minutes. */
  patient: boolean;
  /** File for the numbers of passed and failed invariants, which `npm test` reads. */
  counts: string | undefined;
}

const USAGE = `Usage: npm run chaos -- [--minutes M] [--seed S]
Runs the whole service (two processes, with PostgreSQL, a chain, webhook receivers and a scripted judge) and
agents that submit, pay and dispute. Injects random faults, then repairs everything, waits for open work, and
checks the history of requests against the database, the chain and the receivers. Takes M minutes (default 3),
or more if the wait takes longer. From 20 minutes it waits for every webhook retry. The seed decides the
operations and their order but not their timing, so no two runs are identical.
Exit codes: 0 every invariant holds, 1 an invariant is violated, 2 the run failed.`;

const PATIENT_FROM_MINUTES = 20;
/** Covers the three retries of a delivery. */
const RETRY_MINUTES = 14;

/** Parses the command line. Throws `CommandError`. */
export function parseArguments(args: string[], drawSeed: () => number): Options {
  const text = { type: "string" } as const;
  const { minutes, seed, counts } = parseCommandLine(args, USAGE, {
    options: {
      minutes: { ...text, default: "3" },
      seed: text,
      counts: text,
    },
  }).values;
  const total = Number(minutes);
  const patient = total >= PATIENT_FROM_MINUTES;
  const options = {
    faultMinutes: patient ? total - RETRY_MINUTES : (total * 2) / 3,
    seed: seed === undefined ? drawSeed() : Number(seed),
    patient,
    counts,
  };
  const isValid =
    options.faultMinutes > 0 &&
    total <= 1_440 &&
    Number.isSafeInteger(options.seed) &&
    options.seed >= 0;
  if (!isValid) throw new CommandError(USAGE);
  return options;
}
