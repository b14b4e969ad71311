import type { Core } from "@/server/lib/context";
import type { Work } from "@/server/lib/work";
import { sendsMail } from "@/server/mail/send-mail";
import { pruneAddresses } from "./address";
import { mailDeadlines } from "./deadlines";
import { mailChanges } from "./watch-list";

/** Mails about what changed about watched agents and about the deadlines of owners. */
export const alerts: Work<{ core: Core }> = {
  name: "alerts",
  async sweep({ core }, { now }) {
    if (!sendsMail(core.env)) return;
    await pruneAddresses(core.db, now);
    await mailDeadlines(core, now);
    await mailChanges(core, now);
  },
};
