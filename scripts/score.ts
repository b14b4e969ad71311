import { readFileSync } from "node:fs";
import { parseAddress, parseCommandLine, runMain } from "@/scripts/lib/command-line";
import { LedgerFileError, parseExamples, parseLedger } from "@/server/reputation/score/ledger-file";
import { toScoreRecord } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { CommandError } from "./lib/command-error.mjs";

const USAGE =
  "Usage: npm run --silent score -- LEDGER.json WALLET [NOW], or npm run --silent score -- --vectors FILE";

function main(args: string[]): number {
  console.log(JSON.stringify(computeScores(args), null, 2));
  return 0;
}

/** Computes the reputation of a wallet from a ledger, or those of all worked examples. */
function computeScores(args: string[]): unknown {
  const { values, positionals } = parseCommandLine(args, USAGE, {
    options: { vectors: { type: "string" } },
    allowPositionals: true,
  });
  const [file, wallet, now, ...more] = positionals;
  if (values.vectors !== undefined) {
    if (file !== undefined) throw new CommandError(USAGE);
    return readFile(values.vectors, parseExamples).map((example) =>
      toScoreRecord(computeScore(example.log, example.wallet, example.now)),
    );
  }
  if (!file || !wallet || more.length > 0) throw new CommandError(USAGE);
  const seconds = now === undefined ? Math.floor(Date.now() / 1000) : parseTime(now);
  const address = parseAddress(wallet);
  return toScoreRecord(computeScore(readFile(file, parseLedger), address, seconds));
}

function readFile<T>(file: string, parse: (text: string) => T): T {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw new LedgerFileError(`Cannot read ${file} (${code}).`);
  }
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof LedgerFileError) throw new LedgerFileError(`${file}, ${error.message}.`);
    throw error;
  }
}

/** Parses unix seconds, or an ISO 8601 date or UTC date-time, to unix seconds. */
function parseTime(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  const time = iso.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new CommandError(
      `NOW must be unix seconds or an ISO date such as 2026-11-21 or 2026-11-21T12:00:00Z, not ${text}.`,
    );
  }
  return Math.floor(time / 1000);
}

await runMain(main, { refusal: LedgerFileError });
