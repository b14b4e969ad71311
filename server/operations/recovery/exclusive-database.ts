import type postgres from "postgres";
import { MIGRATION_LOCK } from "@/server/db/migrate";
import { OperationRefused } from "@/server/operations/operation-refused";

const NAME = "standing-ops";

/**
 * Returns `url` with an application name that distinguishes this command's connections from a
 * service's.
 */
export function addApplicationName(url: string, name = NAME): string {
  const named = new URL(url);
  named.searchParams.set("application_name", name);
  return named.href;
}

/**
 * Runs `work` while no instance of the service can use the database: an instance that starts waits,
 * as for a migration. `client` must be connected with a URL from `addApplicationName`. Throws
 * `OperationRefused` if an instance is running.
 */
export async function withExclusiveDatabase<T>(
  client: postgres.Sql,
  work: () => Promise<T>,
): Promise<T> {
  const connection = await client.reserve();
  try {
    const [lock] = await connection<{ mine: boolean }[]>`
      select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`;
    if (!lock?.mine) {
      throw new OperationRefused(
        "Another process is migrating, restoring or rebuilding this database. Wait until it has finished.",
      );
    }
    const [others] = await connection<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and usename = current_user
        and backend_type = 'client backend' and application_name <> ${NAME}`;
    if (others && others.count > 0) {
      throw new OperationRefused(
        `${others.count} other connections use this database. Stop every instance of the service first.`,
      );
    }
    return await work();
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    connection.release();
  }
}
