import { createApi } from "@/server/bootstrap/api";
import { builtinJudge, decideOffline } from "@/server/testing/model/offline-checks";

/** Creates the API for tests that read no reputation and sign no statement: both fail. */
export function createUnreadApi() {
  const unread = () => Promise.reject(new Error("nothing is read here"));
  return createApi({
    reputations: { get: unread, getMany: unread },
    statements: { issue: unread },
    judge: builtinJudge,
    decideRequirements: decideOffline,
  });
}
