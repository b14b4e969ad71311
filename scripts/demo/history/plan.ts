import { keccak256, toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { createRandom, type Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import characters from "./characters.json";
import { planDisputes, planOutcome } from "./plan-outcomes";
import {
  type Character,
  deriveUuid,
  type Plan,
  type PlannedAgent,
  type PlannedAnchor,
  type PlannedOutcome,
  type PlannedRevocation,
  type Role,
} from "./planned-events";

interface Options {
  seed: number;
  /** End of the history, in unix seconds. */
  now: number;
  /** Fraction of the jobs to play; 1 plays all. */
  scale?: number;
}

export const DAYS = 182;

/** From when until when agents of a role work, in days before the end. */
const PERIODS: Record<Role, [from: number, until: number]> = {
  steady: [DAYS, 0],
  hirer: [DAYS - 10, 0],
  customer: [DAYS - 10, 0],
  scam: [DAYS, 0],
  overturned: [DAYS, 0],
  "single-client": [80, 0],
  unverified: [100, 0],
  ring: [75, 4],
  quiet: [DAYS, DAYS - 55],
  fresh: [3, 0],
  idle: [0, 0],
};
/** Roles that hire from the first day on. */
const BUSINESSES: readonly Role[] = ["hirer", "customer"];
/** The steady contractors that are also anchors. The two best agents, before them, only work. */
const ANCHORED_REGULARS = [2, 8] as const;

/**
 * Returns a simulated half-year of all agents up to `now`. Equal options give the same plan, down
 * to every id and wallet.
 */
export function planHistory({ seed, now, scale = 1 }: Options): Plan {
  const random = createRandom(seed);
  const agents = (characters as Character[]).map((character, index) =>
    planAgent(random, character, { id: deriveUuid(seed, `agent ${index}`), seed, now }),
  );
  const anchored = listAnchored(agents);
  const workOf = new Map(
    agents.map((agent): [PlannedAgent, PlannedOutcome[]] => {
      const clients = chooseClients(random, agent, agents);
      const jobs = agent.jobs < 5 ? agent.jobs : Math.ceil(agent.jobs * scale);
      const times = drawTimes(random, agent.role, jobs, now);
      const outcomes = times.map((at, nth) => {
        const isForAnchor = clients.others.length === 0 || random.chance(agent.anchored);
        const pool = isForAnchor && clients.anchored.length > 0 ? clients.anchored : clients.others;
        // Round robin, so that jobs are spread evenly over the clients.
        const requester = pool[nth % pool.length];
        if (!requester) throw new Error(`${agent.name} has jobs but no clients`);
        const isAnchored = anchored.includes(requester);
        const id = deriveUuid(seed, `outcome ${agent.name} ${nth}`);
        const isLast = nth === times.length - 1;
        return planOutcome(random, { agent, requester, isAnchored, at, id, isLast, now });
      });
      return [agent, outcomes];
    }),
  );
  const anchors = planAnchors(random, anchored, { seed, now });
  const disputes = planDisputes(random, workOf, { seed, now });
  const events = [...anchors, ...[...workOf.values()].flat(), ...disputes];
  return { agents, events: events.sort((a, b) => a.at - b.at) };
}

function planAgent(
  random: Random,
  character: Character,
  { id, seed, now }: Options & { id: string },
): PlannedAgent {
  const { name, role } = character;
  const privateKey = keccak256(toHex(`standing simulated history ${seed} ${name}`));
  const daysBefore = BUSINESSES.includes(role) ? DAYS : PERIODS[role][0];
  return {
    ...character,
    id,
    privateKey,
    wallet: privateKeyToAddress(privateKey),
    registeredAt: Math.floor(now - (daysBefore + random.between(1, 6)) * DAY_SECONDS),
    isWalletVerified: role !== "unverified",
  };
}

const HOUR_SECONDS = 3_600;
/** Days before the end of its period in which an agent has at least one job. */
const RECENT_DAYS = 30;

/**
 * Returns the sorted times of an agent's verdicts: fewer at night and at weekends.
 */
function drawTimes(random: Random, role: Role, jobs: number, now: number): number[] {
  const [from, until] = PERIODS[role];
  const times: number[] = [];
  while (times.length < jobs) {
    // The first one is recent, so that only agents that stopped seem dormant.
    const earliest = times.length === 0 ? Math.min(from, until + RECENT_DAYS) : from;
    const at = random.integer(now - earliest * DAY_SECONDS, now - until * DAY_SECONDS - 120);
    const hour = Math.floor((at % DAY_SECONDS) / HOUR_SECONDS);
    // 1 January 1970 was a Thursday.
    const isWeekend = [2, 3].includes(Math.floor(at / DAY_SECONDS) % 7);
    const isNight = hour < 6 || hour > 21;
    if (random.chance((isWeekend ? 0.45 : 1) * (isNight ? 0.25 : 1))) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

const listByRole = (agents: PlannedAgent[], ...roles: Role[]) =>
  agents.filter(({ role }) => roles.includes(role));

/** Returns the agents that have an anchor: businesses and some steady contractors. */
const listAnchored = (agents: PlannedAgent[]): PlannedAgent[] => [
  ...listByRole(agents, "hirer"),
  ...listByRole(agents, "steady").slice(...ANCHORED_REGULARS),
];

/**
 * Returns the clients of an agent, in random order; one list may be empty. An agent only hires those
 * listed before it, so money never comes back to its payer; except in the ring, where everyone hires
 * everyone.
 */
function chooseClients(
  random: Random,
  agent: PlannedAgent,
  agents: PlannedAgent[],
): { anchored: PlannedAgent[]; others: PlannedAgent[] } {
  if (agent.role === "ring") {
    const members = listByRole(agents, "ring").filter((member) => member !== agent);
    return { anchored: [], others: random.shuffle(members) };
  }
  const later = agents.slice(agents.indexOf(agent) + 1);
  const isAnchored = new Set(listAnchored(agents));
  const regulars = listByRole(agents, "steady").slice(ANCHORED_REGULARS[1]);
  const hiring = [...regulars, ...listByRole(agents, "quiet", "customer")];
  const anchored = random.shuffle(later.filter((other) => isAnchored.has(other)));
  const others = random.shuffle(later.filter((other) => hiring.includes(other)));
  if (agent.role === "single-client") return { anchored: anchored.slice(0, 1), others: [] };
  // Few businesses come later, so each of them hires.
  if (BUSINESSES.includes(agent.role)) return { anchored: [...anchored, ...others], others: [] };
  return { anchored, others };
}

const REASONS = [
  "Simulated: customer since launch",
  "Simulated: company found in the commercial register",
  "Simulated: known to the operator personally",
];

/** Returns the anchors, most of them from the first days on, and one revocation. One expires. */
function planAnchors(
  random: Random,
  anchored: PlannedAgent[],
  { seed, now }: Options,
): (PlannedAnchor | PlannedRevocation)[] {
  const anchors = anchored.map(({ wallet }, index): PlannedAnchor => {
    const day = index % 9 === 8 ? random.between(40, 70) : random.between(0.1, 4);
    const at = Math.floor(now - (DAYS - day) * DAY_SECONDS);
    return {
      type: "anchor",
      id: deriveUuid(seed, `anchor ${index}`),
      at,
      from: at,
      wallet,
      until: index === 1 ? now - 20 * DAY_SECONDS : null,
      reason: random.pick(REASONS),
    };
  });
  const [revoked] = anchors;
  if (!revoked) return [];
  const at = now - 38 * DAY_SECONDS - random.integer(0, DAY_SECONDS);
  return [...anchors, { type: "anchor-revoked", at, anchorId: revoked.id }];
}
