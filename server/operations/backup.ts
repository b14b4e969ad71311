import { beneath } from "@/server/engine/connection";
import type { ChainInfo, Database } from "@/server/lib/context";
import { type BackupHeader, writeBackup, writeRows } from "./backup-file";
import { copiedTables, readSequences, schemaVersion } from "./backup-tables";

export interface Backup {
  tables: number;
  rows: number;
}

/**
 * Writes a consistent snapshot of the database into one compressed file while the service runs.
 * Secrets are included as stored: webhook secrets sealed by `SECRET_KEY`, API keys as hashes, and
 * the texts of outcomes as they are. Throws `OperationRefused` if the file exists.
 */
export async function backup(
  { db, chain }: { db: Database; chain: Pick<ChainInfo, "id" | "registryAddress"> },
  { file, now }: { file: string; now: Date },
): Promise<Backup> {
  let rows = 0;
  let tables = 0;
  await writeBackup(file, (write) =>
    db.transaction(
      async (tx) => {
        const header: BackupHeader = {
          format: "standing-backup/1",
          at: now.toISOString(),
          schema: await schemaVersion(tx),
          chainId: chain.id,
          registryAddress: chain.registryAddress,
          tables: await copiedTables(tx),
          // Sequences are not part of a snapshot: read after it is taken, they are ahead of every
          // copied row.
          sequences: await readSequences(tx),
        };
        await write(`${JSON.stringify(header)}\n`);
        const client = beneath(tx);
        for (const { name, columns } of header.tables) {
          const copy = `copy ${name} (${columns.join(", ")}) to stdout`;
          rows += (await writeRows(write, await client.unsafe(copy).readable())).rows;
          tables += 1;
        }
      },
      { isolationLevel: "repeatable read", accessMode: "read only" },
    ),
  );
  return { tables, rows };
}
