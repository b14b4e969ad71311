/** Names of the engine's jobs in graphile-worker. */
export const TASKS = {
  /** Calls a function, or one planned step of it. */
  call: "engine:call",
  /** Ends a sleep, or a wait or an invocation that timed out. */
  wake: "engine:wake",
  closeBatch: "engine:close-batch",
  tick: "engine:tick",
  prune: "engine:prune",
  relay: "relay:event",
} as const;
