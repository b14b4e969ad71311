import type { Sender } from "@/server/chain/sender";
import type { FunctionCore } from "@/server/lib/inngest";
import { watchStakes as watch } from "@/server/settlement/watch-stakes";

/** Every minute; a stake becomes final some twenty minutes after its payment, where that takes long. */
export const watchStakes = (core: FunctionCore, sender: Sender) =>
  core.inngest.createFunction(
    {
      id: "watch-stakes",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    ({ step }) => step.run("watch", () => watch(core, sender)),
  );
