import { parseArgs } from "node:util";
import { STALLED_NAMES, type StalledKind } from "@/server/operations/stalled";

export const USAGE = `Usage: npm run ops -- status [--json]
       npm run ops -- retry KIND [ID]
       npm run ops -- backup FILE
       npm run ops -- restore FILE
       npm run ops -- rebuild
KIND is one that status names. restore and rebuild want the service stopped; docs/operations.md tells what they do.
Exit codes: 0 done and nothing is stalled, 1 something is stalled or was refused, 2 could not be tried.`;

/** The command is written wrongly; the message is for who typed it. */
export class UsageError extends Error {
  override name = "UsageError";
}

export type Command =
  | { verb: "status"; json: boolean }
  | { verb: "retry"; kind: StalledKind; id: string | undefined }
  | { verb: "backup" | "restore"; file: string }
  | { verb: "rebuild" };

/** What the command line asks for. Throws `UsageError`. */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parsed(args);
  const [verb, what, id, ...more] = positionals;
  if (more.length > 0 || (values.json && verb !== "status")) throw new UsageError(USAGE);
  if (verb === "status" && what === undefined) return { verb, json: values.json ?? false };
  if (verb === "rebuild" && what === undefined) return { verb };
  if ((verb === "backup" || verb === "restore") && what && id === undefined) {
    return { verb, file: what };
  }
  if (verb === "retry" && what) return { verb, kind: readKind(what), id: id && readId(what, id) };
  throw new UsageError(USAGE);
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { json: { type: "boolean" } }, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE);
  }
}

function readKind(given: string): StalledKind {
  const kind = STALLED_NAMES.find((name) => name === given);
  if (kind) return kind;
  throw new UsageError(`${given} is no kind of work: it is one of ${STALLED_NAMES.join(", ")}.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readId(kind: string, given: string): string {
  if (kind === "jobs" ? /^\d{1,18}$/.test(given) : UUID.test(given)) return given;
  throw new UsageError(`${given} is no id of ${kind}: take one that status shows.`);
}
