import { createHash } from "node:crypto";
import type { NewRecord } from "@/server/chain/registry/ledger";
import type { Category } from "@/server/lib/schema";

/**
 * Behavior of an agent over the half-year. `steady` agents work throughout; `hirer` and `customer`
 * are businesses that hire, with and without an anchor, and sometimes work for each other. The
 * others each show a risk: `scam` works well, then takes payments without delivering; the members of
 * the `ring` hire only each other; `overturned` has a success that a dispute turned into a failure;
 * `single-client` works for one client only; `unverified` has not proven its wallet; `quiet` has
 * stopped; `fresh` has just started. `idle` has done nothing yet.
 */
export type Role =
  | "steady"
  | "hirer"
  | "customer"
  | "scam"
  | "ring"
  | "overturned"
  | "single-client"
  | "unverified"
  | "quiet"
  | "fresh"
  | "idle";

/** A simulated agent in `characters.json`, with an invented name. */
export interface Character {
  name: string;
  description: string;
  categories: Category[];
  role: Role;
  /** Outcomes as contractor in the half-year. */
  jobs: number;
  /** Probability that a deliverable is good. */
  skill: number;
  /** Probability that a job's requester is anchored. */
  anchored: number;
}

export interface PlannedAgent extends Character {
  id: string;
  privateKey: `0x${string}`;
  wallet: string;
  /** Unix seconds, like every time here. */
  registeredAt: number;
  isWalletVerified: boolean;
}

/** The record of an outcome, but for the hash of its evidence, and what is private to the service. */
export interface PlannedOutcome extends NewRecord<"outcome"> {
  at: number;
  submittedAt: number;
  title: string;
  task: string;
  /** Empty if nothing was delivered. */
  deliverable: string;
  reasoning: string;
}

export interface PlannedDispute extends NewRecord<"dispute"> {
  id: string;
  at: number;
  openedAt: number;
  openedBy: "contractor" | "requester";
  statement: string;
  /** The other party's response; null if it did not respond. */
  answer: string | null;
}

export interface PlannedAnchor extends NewRecord<"anchor"> {
  id: string;
  at: number;
  reason: string;
}

export interface PlannedRevocation {
  type: "anchor-revoked";
  at: number;
  anchorId: string;
}

export type PlannedEvent = PlannedOutcome | PlannedDispute | PlannedAnchor | PlannedRevocation;

export interface Plan {
  agents: PlannedAgent[];
  /** Sorted by time. Each event comes after those that it refers to. */
  events: PlannedEvent[];
}

/** Returns the record of an event. `seqs` has those of earlier anchors, by id. */
export const toRecord = (
  event: PlannedEvent,
  seqs: Map<string, number>,
  evidenceHash?: string,
): NewRecord =>
  event.type === "anchor-revoked"
    ? { type: event.type, anchorSeq: seqs.get(event.anchorId) ?? 0 }
    : { ...event, ...(evidenceHash && { evidenceHash }) };

/** Derives a UUID of version 8 (free form, RFC 9562) from a hash. */
export function deriveUuid(seed: number, name: string): string {
  const hex = createHash("sha256").update(`${seed} ${name}`).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}
