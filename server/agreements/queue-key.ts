import type { Context } from "@/server/lib/context";
import type { QueueKey } from "@/server/lib/process/fair-queue";
import { hashClientKey } from "@/server/rate-limit/client";

/** Returns whose turn the work of a request is: the same as that of the agent's submissions. */
export const getQueueKey = (
  { env, request }: Pick<Context, "env" | "request">,
  agent: { id: string },
): QueueKey => [hashClientKey(env, request.ip, "submission").toString("hex"), agent.id];
