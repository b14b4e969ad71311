import { indexRegistrations } from "@/server/identities/index-registrations";
import { readDueFiles } from "@/server/identities/read-due-files";
import { recheckLinks } from "@/server/identities/recheck-links";
import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";

/** Runs every minute: reads the ERC-8004 identity registry, checks the links that are due, and reads their files. */
export const watchIdentities = (core: FunctionCore) =>
  defineFunction(
    {
      id: "watch-identities",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    async ({ step }) => {
      if (!core.chain.erc8004) return;
      await step.run("index", () => indexRegistrations(core));
      await step.run("check-links", () => recheckLinks(core));
      await step.run("read-files", () => readDueFiles(core));
    },
  );
