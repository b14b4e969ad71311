import type { Core, Transaction } from "@/server/lib/context";

/**
 * Publishes the event `name` for each row that `find` returns, in one transaction. Returns the
 * number of rows. An event repeated with the same `cause` is ignored.
 */
export function requeue<Row extends { id: string }>(
  core: Pick<Core, "db" | "publish">,
  {
    name,
    cause,
    find,
    toData,
  }: {
    name: string;
    cause: string;
    find(tx: Transaction): PromiseLike<Row[]>;
    toData(row: Row): Record<string, unknown>;
  },
): Promise<number> {
  return core.db.transaction(async (tx) => {
    const rows = await find(tx);
    await core.publish(
      tx,
      rows.map((row) => ({ id: `${cause}:${name}:${row.id}`, name, data: toData(row) })),
    );
    return rows.length;
  });
}
