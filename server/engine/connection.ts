import postgres from "postgres";

/** Opens a pool of `max` connections, which stay open and reconnect within a second. */
export const openPool = (databaseUrl: string, max: number): postgres.Sql =>
  postgres(databaseUrl, {
    max,
    max_lifetime: null,
    backoff: (failures) => Math.min(1, 0.05 * 2 ** failures),
    onnotice: () => {},
  });

/**
 * Part of a `select` that sets up its session. A process that hangs within a transaction must not keep
 * its locks, for which the other processes wait, and a session that vanished with its host is noticed
 * within a minute, not after two hours. Sent with a lock, because each connection may be a new one: as
 * startup parameters, poolers would refuse them.
 */
export const setUpSession = (sql: postgres.ISql) => sql`
  set_config('idle_in_transaction_session_timeout', '10s', false),
  set_config('tcp_keepalives_idle', '30', false),
  set_config('tcp_keepalives_interval', '10', false)`;
