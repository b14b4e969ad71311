import type { RequestInfo } from "@/server/lib/context";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { getClientKey } from "@/server/rate-limit/client";

/** Returns whose turn the work of a request is: its client's, then its agent's. */
export const getQueueKey = (
  { request }: { request: Pick<RequestInfo, "ip"> },
  { id }: { id: string },
): QueueKey => [getClientKey(request.ip), id];
