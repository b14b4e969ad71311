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
/** Roles that hire from the first day on. */
const BUSINESSES: readonly Role[] = ["hirer", "customer"];

/**
 * Returns a simulated half-year of all agents up to `now`. Equal options give the same plan, down
 * to every id and wallet.
 */
export function planHistory({ seed, now, scale = 1 }: Options): Plan {
  const random = createRandom(seed);
  const first = now - DAYS * DAY_SECONDS;
  const agents = (characters as Character[]).map((character, index) =>
    planAgent(random, { character, id: deriveUuid(seed, `agent ${index}`), seed, first, now }),
  );
  const anchoredAgents = listAnchored(agents);
  const clientsOf = chooseClients(random, agents);
  const workOf = new Map(
    agents.map((agent): [PlannedAgent, PlannedOutcome[]] => {
      const { anchored, unanchored } = clientsOf.get(agent) ?? { anchored: [], unanchored: [] };
      const jobs = agent.jobs < 5 ? agent.jobs : Math.ceil(agent.jobs * scale);
      const times = drawTimes(random, agent, jobs, { first, now });
      const outcomes = times.map((at, nth) => {
        const isForAnchor = unanchored.length === 0 || random.chance(agent.anchored);
        const clients = isForAnchor && anchored.length > 0 ? anchored : unanchored;
        // Round robin, so that jobs are spread evenly over the clients.
        const requester = clients[nth % clients.length];
        if (!requester) throw new Error(`${agent.name} has jobs but no clients`);
        const id = deriveUuid(seed, `outcome ${agent.name} ${nth}`);
        const isLast = nth === times.length - 1;
        const isAnchored = anchoredAgents.includes(requester);
        return planOutcome(random, { agent, requester, isAnchored, at, id, isLast, now });
      });
      return [agent, outcomes];
    }),
  );
  const anchors = planAnchors(random, anchoredAgents, { seed, first, now });
  const disputes = planDisputes(random, workOf, { seed, now });
  const events = [...anchors, ...[...workOf.values()].flat(), ...disputes];
  return { agents, events: events.sort((a, b) => a.at - b.at) };
}

function planAgent(
  random: Random,
  {
    character,
    id,
    seed,
    first,
    now,
  }: { character: Character; id: string; seed: number; first: number; now: number },
): PlannedAgent {
  const [workFrom] = getPeriod(character.role, { first, now });
  const daysBefore = random.integer(0, 5 * DAY_SECONDS);
  const privateKey = keccak256(toHex(`standing simulated history ${seed} ${character.name}`));
  return {
    ...character,
    id,
    privateKey,
    wallet: privateKeyToAddress(privateKey),
    registeredAt:
      (BUSINESSES.includes(character.role) ? first : workFrom) - DAY_SECONDS - daysBefore,
    isWalletVerified: character.role !== "unverified",
  };
}

const HOUR_SECONDS = 3_600;
/** Days before the end of its period in which an agent has at least one job. */
const RECENT_DAYS = 30;

/**
 * Returns the sorted times of an agent's verdicts: fewer at night and at weekends.
 */
function drawTimes(
  random: Random,
  { role }: PlannedAgent,
  jobs: number,
  { first, now }: { first: number; now: number },
): number[] {
  const [from, until] = getPeriod(role, { first, now });
  const times: number[] = [];
  while (times.length < jobs) {
    // The first one is recent, so that only agents that stopped seem dormant.
    const start = times.length === 0 ? Math.max(from, until - RECENT_DAYS * DAY_SECONDS) : from;
    const at = random.integer(start, until - 120);
    const hour = Math.floor((at % DAY_SECONDS) / HOUR_SECONDS);
    // 1 January 1970 was a Thursday.
    const isWeekend = [2, 3].includes(Math.floor(at / DAY_SECONDS) % 7);
    const isNight = hour < 6 || hour > 21;
    if (random.chance((isWeekend ? 0.45 : 1) * (isNight ? 0.25 : 1))) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

/** Returns when agents with a role work, from and until. */
function getPeriod(role: Role, { first, now }: { first: number; now: number }): [number, number] {
  const periods: Record<Role, [number, number]> = {
    steady: [first, now],
    hirer: [first + 10 * DAY_SECONDS, now],
    customer: [first + 10 * DAY_SECONDS, now],
    scam: [first, now],
    overturned: [first, now],
    "single-client": [now - 80 * DAY_SECONDS, now],
    unverified: [now - 100 * DAY_SECONDS, now],
    ring: [now - 75 * DAY_SECONDS, now - 4 * DAY_SECONDS],
    quiet: [first, first + 55 * DAY_SECONDS],
    fresh: [now - 3 * DAY_SECONDS, now],
    idle: [now, now],
  };
  return periods[role];
}

/** Number of steady contractors that are also anchors. */
const ANCHORED_REGULARS = 6;
/** Position of the first of them: the two best agents only work. */
const FIRST_ANCHORED = 2;

/** Clients of an agent; one list may be empty. */
interface Clients {
  anchored: PlannedAgent[];
  unanchored: PlannedAgent[];
}

/** Returns the agents that have an anchor: businesses and some steady contractors. */
function listAnchored(agents: PlannedAgent[]): PlannedAgent[] {
  const regulars = listByRole(agents, "steady");
  return [
    ...listByRole(agents, "hirer"),
    ...regulars.slice(FIRST_ANCHORED, FIRST_ANCHORED + ANCHORED_REGULARS),
  ];
}

/**
 * Returns the clients of each agent, in random order. An agent only hires those listed before it,
 * so money never comes back to its payer; except in the ring, where everyone hires everyone.
 */
function chooseClients(random: Random, agents: PlannedAgent[]): Map<PlannedAgent, Clients> {
  const anchored = listAnchored(agents);
  const regulars = listByRole(agents, "steady");
  const unanchored = [
    ...regulars.slice(FIRST_ANCHORED + ANCHORED_REGULARS),
    ...listByRole(agents, "quiet"),
    ...listByRole(agents, "customer"),
  ];
  const ring = listByRole(agents, "ring");
  return new Map(
    agents.map((agent, index): [PlannedAgent, Clients] => {
      const shuffleLater = (candidates: PlannedAgent[]) =>
        random.shuffle(candidates.filter((other) => agents.indexOf(other) > index));
      if (agent.role === "ring") {
        const others = ring.filter((member) => member !== agent);
        return [agent, { anchored: [], unanchored: random.shuffle(others) }];
      }
      const clients = {
        anchored: shuffleLater(anchored),
        unanchored: shuffleLater(unanchored),
      };
      if (agent.role === "single-client") {
        return [agent, { anchored: clients.anchored.slice(0, 1), unanchored: [] }];
      }
      if (agent.role !== "hirer" && agent.role !== "customer") return [agent, clients];
      // Few businesses come later, so each of them hires.
      const businesses = random.shuffle([...clients.anchored, ...clients.unanchored]);
      return [agent, { anchored: businesses, unanchored: [] }];
    }),
  );
}

const listByRole = (agents: PlannedAgent[], role: PlannedAgent["role"]) =>
  agents.filter((agent) => agent.role === role);

/** Returns the anchors, most of them from the first days on, and one revocation. One expires. */
function planAnchors(
  random: Random,
  anchoredAgents: PlannedAgent[],
  { seed, first, now }: { seed: number; first: number; now: number },
): (PlannedAnchor | PlannedRevocation)[] {
  const anchors = anchoredAgents.map(({ wallet }, index): PlannedAnchor => {
    const isLate = index % 9 === 8;
    return {
      type: "anchor",
      id: deriveUuid(seed, `anchor ${index}`),
      at:
        first +
        (isLate
          ? random.integer(40 * DAY_SECONDS, 70 * DAY_SECONDS)
          : random.integer(HOUR_SECONDS, 4 * DAY_SECONDS)),
      wallet,
      until: index === 1 ? now - 20 * DAY_SECONDS : null,
      reason: random.pick([
        "Simulated: customer since launch",
        "Simulated: company found in the commercial register",
        "Simulated: known to the operator personally",
      ]),
    };
  });
  const [revoked] = anchors;
  if (!revoked) return anchors;
  return [
    ...anchors,
    {
      type: "anchor-revoked",
      at: now - 38 * DAY_SECONDS - random.integer(0, DAY_SECONDS),
      anchorId: revoked.id,
    },
  ];
}
