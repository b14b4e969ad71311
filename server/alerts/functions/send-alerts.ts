import { pruneAddresses } from "@/server/alerts/address";
import { mailDeadlines } from "@/server/alerts/deadlines";
import { mailChanges } from "@/server/alerts/watch-list";
import { defineFunction } from "@/server/lib/background-function";
import type { FunctionCore } from "@/server/lib/inngest";
import { sendsMail } from "@/server/mail/send-mail";

/** Mails what changed about watched agents and the deadlines of owners, every minute. */
export const sendAlerts = (core: FunctionCore) =>
  defineFunction(
    {
      id: "send-alerts",
      triggers: [{ cron: "* * * * *" }],
      retries: 0,
      concurrency: { limit: 1 },
    },
    async () => {
      if (!sendsMail(core.env)) return null;
      const now = new Date();
      await pruneAddresses(core.db, now);
      const deadlines = await mailDeadlines(core, now);
      return { deadlines, changes: await mailChanges(core, now) };
    },
  );
