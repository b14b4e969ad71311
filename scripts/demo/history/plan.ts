import { keccak256, toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { createRandom, type Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import characters from "./characters.json";
import { deriveUuid } from "./derive-uuid";
import { drawTimes, getPeriod } from "./draw-times";
import { chooseClients, listAnchored } from "./hiring";
import { planAnchors } from "./plan-anchors";
import { planDisputes } from "./plan-disputes";
import { planOutcome } from "./plan-outcomes";
import type { Character, Plan, PlannedAgent, PlannedOutcome, Role } from "./planned-events";

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
  const clientsOf = chooseClients(random, agents);
  const workOf = new Map(
    agents.map((agent): [PlannedAgent, PlannedOutcome[]] => {
      const { anchored, unanchored } = clientsOf.get(agent) ?? { anchored: [], unanchored: [] };
      const jobs = agent.jobs < 5 ? agent.jobs : Math.ceil(agent.jobs * scale);
      const times = drawTimes(random, agent, jobs, { first, now });
      const outcomes = times.map((at, nth) => {
        const isAnchored = unanchored.length === 0 || random.chance(agent.anchored);
        const clients = isAnchored && anchored.length > 0 ? anchored : unanchored;
        // Round robin, so that jobs are spread evenly over the clients.
        const requester = clients[nth % clients.length];
        if (!requester) throw new Error(`${agent.name} has jobs but no clients`);
        const id = deriveUuid(seed, `outcome ${agent.name} ${nth}`);
        const isLast = nth === times.length - 1;
        return planOutcome(random, { agent, requester, at, id, isLast, now });
      });
      return [agent, outcomes];
    }),
  );
  const anchors = planAnchors(random, listAnchored(agents), { seed, first, now });
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
