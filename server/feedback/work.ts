import type { Sender } from "@/server/chain/transactions/sender";
import type { Core } from "@/server/lib/context";
import { HOUR_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { giveDue, whereFeedbackUnfinished } from "./give-due";
import { givenFeedback } from "./tables";

export const owedFeedback: Work<{ core: Core; sender: Sender }> = {
  name: "feedback",
  waiting: {
    description: "ERC-8004 feedback that is not given or revoked yet",
    stalledAfterMs: HOUR_MS,
    select: () =>
      selectWaiting(givenFeedback, {
        since: givenFeedback.dueSince,
        where: whereFeedbackUnfinished,
      }),
  },
  sweep: ({ core, sender }, { now }) => giveDue(core, sender, now),
};
