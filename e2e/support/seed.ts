import { readFileSync } from "node:fs";
import type { Hex } from "viem";
import { SEED_FILE } from "@/playwright.config";
import type { Agent } from "./api";

/** A contractor, its client, and outcomes between them. */
export interface Job {
  contractor: Agent;
  requester: Agent;
  outcomeIds: string[];
}

/** What tests share. They only read it, unless it says otherwise. */
export interface Seed {
  /** Has one success and one failure. */
  quill: Job;
  /** Has one success and one failure; the success is disputed. */
  finch: Job & { disputeId: string };
  /** Has one success. */
  linnet: Job;
  /** Has a success at least; tests add outcomes in both directions. */
  wren: Job;
  /** Has a success for an anchor, which a test revokes. */
  anchored: Job;
  /** Agents named by `ATTACKS`, in that order, with an outcome each. The first one is disputed. */
  hostile: { agents: Agent[]; outcomeIds: string[]; disputeId: string };
  /** An agreement whose deadline passes 70 seconds after the start. A test reports it. */
  undelivered: { agreementId: string; clientKey: Hex };
}

/** Reads what `e2e/seed.setup.ts` has stored. */
export const readSeed = (): Seed => JSON.parse(readFileSync(SEED_FILE, "utf8"));
