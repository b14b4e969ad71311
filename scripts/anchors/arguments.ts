import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseAddress, parseCommandLine } from "@/scripts/lib/command-line";
import { textSchema } from "@/server/lib/schema";

const USAGE = `Usage: npm run anchors -- add WALLET --reason TEXT [--until DATE]
       npm run anchors -- revoke WALLET
       npm run anchors -- list
DATE is a day or a time in UTC, such as 2027-01-31 or 2027-01-31T18:00:00Z, when the anchor ends. TEXT says why you trust it,
in public.
Exit codes: 0 done, 1 refused, 2 failed, 3 stored but not recorded yet.`;

export type Command =
  | { verb: "add"; wallet: string; until: Date | null; reason: string }
  | { verb: "revoke"; wallet: string }
  | { verb: "list" };

/** Parses the command line. Throws `CommandError`. */
export function parseCommand(args: string[]): Command {
  const { values, positionals } = parseCommandLine(args, USAGE, {
    options: { until: { type: "string" }, reason: { type: "string" } },
    allowPositionals: true,
  });
  const [verb, wallet, ...more] = positionals;
  const isAdd = verb === "add";
  if (more.length > 0 || (!isAdd && (values.until ?? values.reason) !== undefined)) {
    throw new CommandError(USAGE);
  }
  if (verb === "list" && wallet === undefined) return { verb };
  if ((!isAdd && verb !== "revoke") || wallet === undefined) throw new CommandError(USAGE);
  const address = parseAddress(wallet);
  if (!isAdd) return { verb, wallet: address };
  return {
    verb,
    wallet: address,
    until: values.until === undefined ? null : parseDate(values.until),
    reason: parseReason(values.reason ?? ""),
  };
}

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

function parseDate(given: string): Date {
  const time = new Date(ISO.test(given) ? given : Number.NaN);
  // Rejects dates such as 30 February, which JavaScript would read as a day of March.
  const isReal = given.includes("T") || time.toJSON()?.startsWith(given);
  if (isReal && !Number.isNaN(time.getTime())) return time;
  throw new CommandError(
    `${given} is not a date: write 2027-01-31 for the start of that day in UTC, or 2027-01-31T18:00:00Z.`,
  );
}

function parseReason(given: string): string {
  const reason = textSchema(1, 500).safeParse(given);
  if (reason.success) return reason.data;
  throw new CommandError("Give the reason with --reason, in 1 to 500 characters: pages show it.");
}
