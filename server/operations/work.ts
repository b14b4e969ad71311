import { openAgreements } from "@/server/agreements/work";
import { alerts } from "@/server/alerts/work";
import { dueReviews, oldDocuments } from "@/server/disputes/work";
import { failedRuns, oldRuns, overdueJobs } from "@/server/engine/work";
import { owedFeedback } from "@/server/feedback/work";
import { identities } from "@/server/identities/work";
import type { Core } from "@/server/lib/context";
import type { Work } from "@/server/lib/work";
import {
  deliveryPayments,
  failingModels,
  faultyOutcomes,
  unjudgedOutcomes,
} from "@/server/outcomes/work";
import { openPayouts, openStakes } from "@/server/payouts/work";
import { oldScores } from "@/server/reputation/work";
import {
  openEscrows,
  openTransactions,
  unsettledRecords,
  unsignedRecords,
} from "@/server/settlement/work";
import { disabledWebhooks, dueDeliveries, oldMails } from "@/server/webhooks/work";
import { keepStatus } from "./status-days";
import type { CheckedPart } from "./tables";

/** The parts that are down, for the history on the status page. */
const statusOfParts: Work<{ core: Core; findDown: () => Promise<CheckedPart[]> }> = {
  name: "status",
  sweep: async ({ core, findDown }, { now }) => keepStatus(core.db, await findDown(), now),
};

/** All work, in the order of an outcome's pipeline. */
export const WORK = [
  openAgreements,
  unjudgedOutcomes,
  faultyOutcomes,
  failingModels,
  unsignedRecords,
  openEscrows,
  openTransactions,
  unsettledRecords,
  dueReviews,
  openStakes,
  openPayouts,
  owedFeedback,
  deliveryPayments,
  identities,
  dueDeliveries,
  disabledWebhooks,
  alerts,
  oldScores,
  oldDocuments,
  oldMails,
  statusOfParts,
  failedRuns,
  oldRuns,
  overdueJobs,
];
