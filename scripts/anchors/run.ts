import { setTimeout as pause } from "node:timers/promises";
import { getExitCode } from "@/scripts/lib/command-line";
import { loadDotEnv } from "@/scripts/lib/dot-env.mjs";
import {
  describeDatabaseError,
  type ServiceHandle,
  withService,
} from "@/scripts/lib/running-service";
import { parseEnv } from "@/server/lib/env";
import { MINUTE_MS } from "@/server/lib/time";
import {
  type Anchor,
  AnchorError,
  addAnchor,
  listAnchors,
  revokeAnchors,
} from "@/server/reputation/anchors";
import { getAnchorProgress } from "@/server/settlement/anchor-progress";
import { type Command, parseCommand } from "./arguments";

const RECORD_TIMEOUT_MS = MINUTE_MS;
const POLL_MS = 200;

/** Runs the command with its arguments, prints its result and resolves to the exit code. */
export const runAnchors = (args: string[]): Promise<number> =>
  getExitCode(main, args, { refusal: AnchorError, describeError: describeDatabaseError });

async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  loadDotEnv();
  return withService(parseEnv(), (service) => run(service, command));
}

async function run(service: ServiceHandle, command: Command): Promise<number> {
  const now = new Date();
  if (command.verb === "list") {
    const anchors = await listAnchors(service.db);
    if (anchors.length === 0) console.log("There are no anchors.");
    for (const anchor of anchors) console.log(formatAnchor(anchor, now));
    return 0;
  }
  if (command.verb === "add") {
    const anchor = await addAnchor(service, { ...command, now });
    const end = anchor.until ? `, until ${formatTime(anchor.until)}` : "";
    console.log(`${anchor.wallet} is an anchor from ${formatTime(anchor.from)}${end}.`);
    return waitAndReport(service, anchor.id);
  }
  let code = 0;
  for (const { id } of await revokeAnchors(service, { wallet: command.wallet, now })) {
    code = Math.max(code, await waitAndReport(service, id));
  }
  return code;
}

/** Waits until the anchor's record is on chain and prints its status. */
async function waitAndReport({ db }: ServiceHandle, anchorId: string): Promise<number> {
  for (const deadline = Date.now() + RECORD_TIMEOUT_MS; ; await pause(POLL_MS)) {
    const { progress, anchor } = await getAnchorProgress(db, anchorId);
    if (progress === "withdrawn") {
      console.log(`The anchor of ${formatTime(anchor.from)} was withdrawn before it was recorded.`);
      return 0;
    }
    if (progress === "recorded") {
      console.log(
        anchor.revokedSeq === null
          ? `Recorded: record ${anchor.seq}, transaction ${anchor.txHash}.`
          : `The anchor of ${formatTime(anchor.from)} is revoked: record ${anchor.revokedSeq}, transaction ${anchor.revokedTxHash}.`,
      );
      return 0;
    }
    if (Date.now() > deadline) {
      console.error(
        "The request is stored but not recorded yet. The service records it as soon as it runs and its chain responds; see npm run anchors -- list.",
      );
      return 3;
    }
  }
}

function formatAnchor(anchor: Anchor, now: Date): string {
  const { wallet, from, until, reason, seq, txHash, revokedSeq, revokedTxHash } = anchor;
  return [
    getState(anchor, now).padEnd(9),
    wallet,
    `${formatTime(from)} to ${until ? formatTime(until) : "no end".padEnd(20)}`,
    seq === null ? "" : `record ${seq} ${txHash}`,
    revokedSeq === null ? "" : `revoked by record ${revokedSeq} ${revokedTxHash}`,
    reason ?? "",
  ]
    .filter(Boolean)
    .join("  ");
}

function getState({ seq, revokeAskedAt, revokedSeq, until }: Anchor, now: Date): string {
  if (revokedSeq !== null) return "revoked";
  if (revokeAskedAt) return seq === null ? "withdrawn" : "ending";
  if (seq === null) return "waiting";
  return until && until <= now ? "expired" : "active";
}

const formatTime = (time: Date) => time.toISOString().replace(".000Z", "Z");
