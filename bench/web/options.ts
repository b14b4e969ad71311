import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { GOAL } from "./page-result";

const HELP = `Runs Lighthouse on the home page, the leaderboard, an agent and an outcome, as on a mid-range phone.
Exits 1 if performance, accessibility, best practices or SEO of one of them is below ${GOAL}.

  npm run bench:web -- [options]

Starts the service in a new data folder and plays the simulated history. Pages are loaded in turn.
Of performance the median counts, of the other categories the worst result.

  --url BASE         measures the running service at BASE instead
  --rounds N         number of loads per page (default: 3)
  --reports FOLDER   stores Lighthouse's report of every load

With any of these, nothing is written to bench/results/web.json.`;

export interface Options {
  url: string | undefined;
  rounds: number;
  reports: string | undefined;
  /** Whether the run is complete and unmodified, so its result may be stored. */
  isComplete: boolean;
}

/** Parses the command line. Throws a `CommandError`. */
export function parseOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const { rounds, url, reports } = parseCommandLine(args, HELP, {
    options: {
      url: text,
      rounds: { ...text, default: "3" },
      reports: text,
    },
  }).values;
  if (!/^[1-9]\d?$/.test(rounds)) {
    throw new CommandError(`--rounds takes a number from 1 to 99, not "${rounds}".`);
  }
  const isComplete = args.length === 0;
  return { url: url?.replace(/\/+$/, ""), rounds: Number(rounds), reports, isComplete };
}
