import { retryRuns } from "@/server/engine/retry";
import type { Core } from "@/server/lib/context";
import type { FunctionCore } from "@/server/lib/inngest";

const DISPATCH = "dispatch-event";
/** A run that fails for longer fails by what it is about, and waits for a person. */
const TRIED_FOR_MS = 3 * 24 * 60 * 60_000;

/**
 * What dispatches is told once, by an event: were its run left as failed, nobody would hear of an
 * outcome that was resolved. Only the embedded engine's runs are known here; Inngest keeps its own,
 * and replays them.
 */
export const retryFailedDispatches = (core: FunctionCore) =>
  core.inngest.createFunction(
    { id: "retry-failed-dispatches", triggers: [{ cron: "*/10 * * * *" }], retries: 0 },
    async () => {
      const retried = await retryDispatches(core, new Date());
      if (retried > 0) core.log.warn({ retried }, "dispatches that had failed were begun again");
      return { retried };
    },
  );

/** Begins failed dispatches again that are younger than three days at `now`; answers how many. */
export const retryDispatches = ({ db }: Pick<Core, "db">, now: Date): Promise<number> =>
  retryRuns(db, { of: DISPATCH, since: new Date(now.getTime() - TRIED_FOR_MS) });
