/** Names of the engine's jobs in graphile-worker. */
export const TASKS = {
  /** Calls a function, or one planned step of it. */
  call: "engine:call",
  /** A sleep is over, or the time of a wait or an invocation is up. */
  wake: "engine:wake",
  closeBatch: "engine:close-batch",
  tick: "engine:tick",
  prune: "engine:prune",
  relay: "relay:event",
} as const;
