import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import { underlyingPool } from "@/server/db/underlying-connection";
import type { Database } from "@/server/lib/context";

const dialect = new PgDialect();

/**
 * Runs a statement used by hot lists: parsed once per connection, and planned once if the plan does
 * not depend on the values.
 */
export function runPrepared<R extends object>(db: Database, statement: SQL): Promise<R[]> {
  return run(db, statement, true);
}

/**
 * Runs a statement whose best plan depends on its values, such as a text search. Planning it each
 * time costs half a millisecond and saves a hundred.
 */
export function runPlanned<R extends object>(db: Database, statement: SQL): Promise<R[]> {
  return run(db, statement, false);
}

async function run<R extends object>(db: Database, statement: SQL, prepare: boolean) {
  const { sql, params } = dialect.sqlToQuery(statement);
  // Uses the pool below drizzle, whose own `execute` never prepares.
  return underlyingPool(db).unsafe<R[]>(sql, params as postgres.ParameterOrJSON<never>[], {
    prepare,
  });
}
