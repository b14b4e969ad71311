import { type Address, isAddress } from "viem";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { CommandError } from "@/scripts/lib/say.mjs";
import { STALLED_NAMES, type StalledKind } from "@/server/operations/stalled";
import type { Deployment } from "./deploy";

export const USAGE = `Usage: npm run ops -- status [--json]
       npm run ops -- retry KIND [ID]
       npm run ops -- backup FILE
       npm run ops -- restore FILE
       npm run ops -- rebuild
       npm run ops -- reseal
       npm run ops -- deploy --rpc URL --owner ADDRESS --recorder ADDRESS
KIND is one that status names. restore and rebuild want the service stopped; docs/operations.md tells what they do.
Exit codes: 0 done and nothing is stalled, 1 something is stalled or was refused, 2 could not be tried.`;

export type Command =
  | { verb: "status"; json: boolean }
  | { verb: "retry"; kind: StalledKind; id: string | undefined }
  | { verb: "backup" | "restore"; file: string }
  | { verb: "rebuild" | "reseal" }
  | ({ verb: "deploy" } & Deployment);

/** Parses the command line. Throws `CommandError`. */
export function readCommand(args: string[]): Command {
  const text = { type: "string" } as const;
  const { values, positionals } = parseCommandLine(args, USAGE, {
    options: { json: { type: "boolean" }, rpc: text, owner: text, recorder: text },
    allowPositionals: true,
  });
  const [verb, what, id, ...more] = positionals;
  const { json, ...deployment } = values;
  const isDeploy = verb === "deploy" && what === undefined;
  if (more.length > 0 || (json && verb !== "status")) throw new CommandError(USAGE);
  if (Object.keys(deployment).length > 0 && !isDeploy) throw new CommandError(USAGE);
  if (isDeploy) return { verb: "deploy", ...readDeployment(deployment) };
  if (verb === "status" && what === undefined) return { verb, json: json ?? false };
  if ((verb === "rebuild" || verb === "reseal") && what === undefined) return { verb };
  if ((verb === "backup" || verb === "restore") && what && id === undefined) {
    return { verb, file: what };
  }
  if (verb === "retry" && what) return { verb, kind: readKind(what), id: id && readId(what, id) };
  throw new CommandError(USAGE);
}

function readDeployment(given: { rpc?: string; owner?: string; recorder?: string }): Deployment {
  const { rpc = "", owner = "", recorder = "" } = given;
  if (!URL.canParse(rpc) || !/^https?:/i.test(rpc)) {
    throw new CommandError(`--rpc must be an http or https URL.\n${USAGE}`);
  }
  return {
    rpc,
    owner: readAddress("--owner", owner),
    recorder: readAddress("--recorder", recorder),
  };
}

function readAddress(option: string, given: string): Address {
  // A wrong checksum is a typo, and the owner of a registry is permanent.
  if (isAddress(given)) return given;
  throw new CommandError(
    `${option} must be an address, 0x and 40 hexadecimal characters.\n${USAGE}`,
  );
}

function readKind(given: string): StalledKind {
  const kind = STALLED_NAMES.find((name) => name === given);
  if (kind) return kind;
  throw new CommandError(`${given} is no kind of work: it is one of ${STALLED_NAMES.join(", ")}.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readId(kind: string, given: string): string {
  if (kind === "jobs" ? /^\d{1,18}$/.test(given) : UUID.test(given)) return given;
  throw new CommandError(`${given} is no id of ${kind}: take one that status shows.`);
}
