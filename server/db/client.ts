import postgres from "postgres";
import { Database } from "@/server/lib/database";

/** A pool on one Postgres database. `close` waits for running queries. */
export interface DatabaseHandle {
  db: Database;
  close(): Promise<void>;
}

/**
 * Returns the backoff in seconds before a failed pool connection reconnects: 15 ms at first and at
 * most one second, half of it jitter. The driver's default rises to 20 s, which would delay requests
 * long after the database is back.
 */
const reconnectDelay = (failures: number) =>
  Math.min(1, 3 ** failures / 100) * (0.5 + Math.random() / 2);

const asText = (text: string) => text;

/**
 * Dates, times and intervals, which the driver leaves as text, and JSON, of which it takes the text:
 * drizzle's columns convert them. The numbers are the types' ids in `pg_type`.
 */
const TYPES = {
  times: {
    to: 1184,
    from: [1082, 1083, 1114, 1115, 1182, 1184, 1185, 1231],
    parse: asText,
    serialize: asText,
  },
  json: { to: 114, from: [114, 3802], parse: JSON.parse, serialize: asText },
};

/** Opens a pool. On two cores a pool of 2 to 4 outperforms one of 10. */
export function openDatabase(url: string, pool = 4): DatabaseHandle {
  const types = TYPES;
  const sql = postgres(url, { max: pool, backoff: reconnectDelay, onnotice: () => {}, types });
  return { db: new Database(sql), close: () => sql.end({ timeout: 5 }) };
}
