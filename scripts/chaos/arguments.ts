import { parseCommandLine } from "@/scripts/lib/command-line";
import { CommandError } from "@/scripts/lib/say.mjs";

export interface Asked {
  /** Minutes of load and faults; the rest of the run finishes open work. */
  breakingMinutes: number;
  seed: number;
  /** Number of service processes. */
  apps: number;
  /** Only load and checks, without faults. */
  calm: boolean;
  /** Waits for the last webhook retry, which takes fourteen minutes. */
  patient: boolean;
  /** File for the number of invariants that hold and that do not, for `npm test`. */
  counts: string | undefined;
}

export const USAGE = `Usage: npm run chaos -- [--minutes M] [--seed S] [--apps N] [--calm] [--patient]
Runs the service (two processes unless told, PostgreSQL, a chain, webhook receivers, a scripted judge) with
agents that submit, pay and dispute, and breaks it at random. Then everything is healed, what is open is
waited for, and history, database, chain and receivers are checked against each other: M minutes (3) in all,
or more where the wait takes longer. --patient (on from 20 minutes) waits until every webhook retry was made. The seed decides what is done and
in which order; the clock decides what it meets, so no two runs are identical.
Exit codes: 0 everything holds, 1 something does not, 2 it could not be run.`;

const PATIENT_FROM_MINUTES = 20;
/** Covers the three retries of a delivery, with a margin. */
const QUIET_MINUTES = 14;

/** Parses the command line. Throws `CommandError`. */
export function readArguments(args: string[], anySeed: () => number): Asked {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  const { minutes, seed, apps, calm, patient, counts } = parseCommandLine(args, USAGE, {
    options: {
      minutes: { ...text, default: "3" },
      seed: text,
      apps: { ...text, default: "2" },
      calm: flag,
      patient: flag,
      counts: text,
    },
  }).values;
  const inAll = Number(minutes);
  const isPatient = patient || inAll >= PATIENT_FROM_MINUTES;
  const asked = {
    breakingMinutes: isPatient ? inAll - QUIET_MINUTES : (inAll * 2) / 3,
    seed: seed === undefined ? anySeed() : Number(seed),
    apps: Number(apps),
    calm,
    patient: isPatient,
    counts,
  };
  const isSound =
    asked.breakingMinutes > 0 &&
    inAll <= 1_440 &&
    Number.isSafeInteger(asked.seed) &&
    asked.seed >= 0 &&
    [1, 2, 3, 4].includes(asked.apps);
  if (!isSound) throw new CommandError(USAGE);
  return asked;
}
