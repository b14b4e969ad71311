import type { Random } from "@/scripts/lib/random";
import { DAY_SECONDS } from "@/server/lib/time";
import { deriveUuid } from "./derive-uuid";
import type { PlannedAgent, PlannedAnchor, PlannedRevocation } from "./planned-events";

const HOUR_SECONDS = 3_600;

/** Returns the anchors, most of them from the first days on, and one revocation. One expires. */
export function planAnchors(
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
