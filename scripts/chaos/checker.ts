import type { Facts } from "./facts";
import { FAULT_NAMES, isKill } from "./faults";
import type { History } from "./history";
import type { Invariant, Violation } from "./invariant";
import { disputeInvariants } from "./invariants/disputes";
import { escrowInvariants } from "./invariants/escrows";
import { moneyInvariants, refundInvariants } from "./invariants/money";
import { outcomeInvariants } from "./invariants/outcomes";
import { registrationInvariants } from "./invariants/registrations";
import { ledgerInvariants, scoreInvariants } from "./invariants/scores";
import { webhookInvariants } from "./invariants/webhooks";

/** All invariants. They are pure: they read only the facts, never the service. */
export const INVARIANTS: Invariant[] = [
  ...outcomeInvariants,
  ...disputeInvariants,
  ...moneyInvariants,
  ...refundInvariants,
  ...escrowInvariants,
  ...scoreInvariants,
  ...registrationInvariants,
  ...ledgerInvariants,
  ...webhookInvariants,
];

export interface Checked {
  invariant: Invariant;
  checked: number;
  violations: Violation[];
}

export const checkAll = (facts: Facts): Checked[] =>
  INVARIANTS.map((invariant) => ({ invariant, ...invariant.check(facts) }));

const MAX_VIOLATIONS = 5;
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 300;

/** Counts the injected faults: by name, only kills, and all. */
export function countFaults({ notes }: History) {
  const counts = FAULT_NAMES.map((name) => ({
    name,
    times: notes.filter(({ event }) => event === name).length,
  }));
  const sum = (some: typeof counts) => some.reduce((total, { times }) => total + times, 0);
  return {
    counts,
    kills: sum(counts.filter(({ name }) => isKill(name))),
    all: sum(counts),
  };
}

/** Prints the number of faults and the result of each invariant. */
export function printReport(checked: Checked[], history: History): void {
  const { counts, kills, all } = countFaults(history);
  if (all > 0) {
    console.log(`\n${all} faults, ${kills} of them kills`);
    for (const { name, times } of counts) console.log(`  ${String(times).padStart(5)}  ${name}`);
  }
  console.log("\nInvariants");
  for (const { invariant, checked: count, violations } of checked) {
    const result = violations.length === 0 ? "holds" : `BROKEN ${violations.length} times`;
    console.log(`  ${String(count).padStart(6)} ×  ${invariant.name.padEnd(42)} ${result}`);
  }
}

/** Prints the violations, each with its related requests, responses and notes. */
export function printViolations(checked: Checked[], history: History): void {
  for (const { invariant, violations } of checked) {
    if (violations.length === 0) continue;
    console.log(`\nBROKEN: ${invariant.name}: ${invariant.promise}`);
    for (const { id, description } of violations.slice(0, MAX_VIOLATIONS)) {
      console.log(`  ${id} ${description}`);
      for (const line of listRelatedLines(id, history)) console.log(`    ${line}`);
    }
    const more = violations.length - MAX_VIOLATIONS;
    if (more > 0) console.log(`  … and ${more} more`);
  }
}

function listRelatedLines(id: string, { calls, notes }: History): string[] {
  const lines = [...calls, ...notes]
    .toSorted((a, b) => a.at - b.at)
    .map((entry) => JSON.stringify(entry))
    .filter((line) => line.includes(id));
  const shown =
    lines.length <= MAX_LINES
      ? lines
      : [...lines.slice(0, MAX_LINES / 2), "…", ...lines.slice(-MAX_LINES / 2)];
  return shown.map((line) => line.slice(0, MAX_LINE_LENGTH));
}
