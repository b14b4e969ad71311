import type { Random } from "@/scripts/lib/random";
import type { PlannedAgent } from "./planned-events";

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
export function listAnchored(agents: PlannedAgent[]): PlannedAgent[] {
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
export function chooseClients(random: Random, agents: PlannedAgent[]): Map<PlannedAgent, Clients> {
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
