import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { StartupError } from "@/server/lib/errors";

/** A pooler may by chance give a connection the same session again. */
const ROUNDS = 3;

/**
 * Throws `StartupError` if a pooler is in front of the database that gives each transaction another
 * session: what one statement sets is then missing in the next, or appears in another connection. Locks
 * and notifications would be lost in the same way.
 */
export async function requireSessions(url: string): Promise<void> {
  const token = randomUUID();
  const open = () => postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const [own, other] = [open(), open()];
  // Without parameters, no statement is prepared: such a pooler would lose that, too.
  const read = async (sql: postgres.Sql) => {
    const [row] = await sql.unsafe("select current_setting('standing.session', true) as token");
    return row?.token;
  };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await own.unsafe(`select set_config('standing.session', '${token}', false)`);
      if ((await read(own)) === token && (await read(other)) !== token) continue;
      throw new StartupError(
        "DATABASE_URL leads to a pooler in transaction mode, which loses settings, locks and notifications between statements: give the database's own address, or a pooler in session mode.",
      );
    }
  } finally {
    await Promise.all([own, other].map((sql) => sql.end({ timeout: 5 })));
  }
}
