import { type Address, isAddress } from "viem";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine } from "@/scripts/lib/command-line";
import { WAITING_WORK } from "@/server/operations/stalled";
import { DEPLOYMENTS, type Deployment } from "./deploy";

const USAGE = `Usage: npm run ops -- status [--json]
       npm run ops -- retry KIND [ID]
       npm run ops -- backup FILE
       npm run ops -- restore FILE
       npm run ops -- rebuild
       npm run ops -- reseal
       npm run ops -- deploy --rpc URL --owner ADDRESS --recorder ADDRESS
       npm run ops -- deploy-gate --rpc URL --registry ADDRESS --signer ADDRESS
KIND is one that status lists. Stop the service before restore and rebuild; docs/operations.md explains them.
Exit codes: 0 done and nothing is stalled, 1 something is stalled or was refused, 2 failed.`;

export type Command =
  | { verb: "status"; json: boolean }
  | { verb: "retry"; kind: string; id: string | undefined }
  | { verb: "backup" | "restore"; file: string }
  | { verb: "rebuild" | "reseal" }
  | Deployment;

/** Parses the command line. Throws `CommandError`. */
export function parseCommand(args: string[]): Command {
  const text = { type: "string" } as const;
  const { values, positionals } = parseCommandLine(args, USAGE, {
    options: {
      json: { type: "boolean" },
      rpc: text,
      owner: text,
      recorder: text,
      registry: text,
      signer: text,
    },
    allowPositionals: true,
  });
  const [verb, what, id, ...more] = positionals;
  const { json, ...deployment } = values;
  if (more.length > 0 || (json && verb !== "status")) throw new CommandError(USAGE);
  if (what === undefined && (verb === "deploy" || verb === "deploy-gate")) {
    return parseDeployment(verb, deployment);
  }
  if (Object.keys(deployment).length > 0) throw new CommandError(USAGE);
  if (verb === "status" && what === undefined) return { verb, json: json ?? false };
  if ((verb === "rebuild" || verb === "reseal") && what === undefined) return { verb };
  if ((verb === "backup" || verb === "restore") && what && id === undefined) {
    return { verb, file: what };
  }
  if (verb === "retry" && what) return { verb, kind: parseKind(what), id: id && parseId(what, id) };
  throw new CommandError(USAGE);
}

function parseDeployment(
  verb: Deployment["verb"],
  { rpc = "", ...given }: Record<string, string | undefined>,
): Deployment {
  const { args } = DEPLOYMENTS[verb];
  const isKnown = (name: string) => args.some((known) => known === name);
  if (!Object.keys(given).every(isKnown)) throw new CommandError(USAGE);
  if (!URL.canParse(rpc) || !/^https?:/i.test(rpc)) {
    throw new CommandError(`--rpc must be an http or https URL.\n${USAGE}`);
  }
  return { verb, rpc, args: args.map((name) => parseAddress(`--${name}`, given[name] ?? "")) };
}

function parseAddress(option: string, given: string): Address {
  // A wrong checksum is a typo, and the owner of a registry is permanent.
  if (isAddress(given)) return given;
  throw new CommandError(
    `${option} must be an address, 0x and 40 hexadecimal characters.\n${USAGE}`,
  );
}

function parseKind(given: string): string {
  const kinds = WAITING_WORK.map(({ name }) => name);
  if (kinds.includes(given)) return given;
  throw new CommandError(`${given} is not a kind of work; the kinds are ${kinds.join(", ")}.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function parseId(kind: string, given: string): string {
  if (kind === "jobs" ? /^\d{1,18}$/.test(given) : UUID.test(given)) return given;
  throw new CommandError(`${given} is not an id of ${kind}; status lists them.`);
}
