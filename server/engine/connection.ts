import postgres from "postgres";

/**
 * A process that hangs within a transaction must not keep its locks, for which the other processes
 * wait.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** A session that vanished with its host is noticed within a minute, not after two hours. */
const KEEPALIVE = { tcp_keepalives_idle: 30, tcp_keepalives_interval: 10 };

/** Opens a pool of `max` connections, which stay open and reconnect within a second. */
export const openPool = (databaseUrl: string, max: number): postgres.Sql =>
  postgres(databaseUrl, {
    max,
    max_lifetime: null,
    backoff: (failures) => Math.min(1, 0.05 * 2 ** failures),
    connection: { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS, ...KEEPALIVE },
    onnotice: () => {},
  });
