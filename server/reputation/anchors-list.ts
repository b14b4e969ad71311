import { count, desc, eq, isNotNull } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Sql } from "@/server/lib/context";
import type { AnchorsPage } from "./schema";
import { anchors } from "./tables";

/** Returns the anchors in the ledger, including revoked and expired ones, latest record first. */
export async function readAnchorsPage(
  db: Sql,
  { page, size }: { page: number; size: number },
): Promise<AnchorsPage> {
  const recorded = isNotNull(anchors.seq);
  const [rows, [counted]] = await Promise.all([
    db
      .select({ anchor: anchors, name: agents.name })
      .from(anchors)
      .leftJoin(agents, eq(agents.wallet, anchors.wallet))
      .where(recorded)
      .orderBy(desc(anchors.seq))
      .limit(size)
      .offset(page * size),
    db.select({ total: count() }).from(anchors).where(recorded),
  ]);
  const totalElements = counted?.total ?? 0;
  return {
    content: rows.map(({ anchor, name }) => ({
      walletAddress: anchor.wallet,
      name,
      from: anchor.from.toISOString(),
      until: anchor.until?.toISOString() ?? null,
      reason: anchor.reason,
      revoked: anchor.revokedSeq !== null,
      seq: anchor.seq ?? 0,
      onChainTx: anchor.txHash ?? "",
      revokedSeq: anchor.revokedSeq,
      revokedTx: anchor.revokedTxHash,
    })),
    totalElements,
    totalPages: Math.ceil(totalElements / size),
    page,
    size,
  };
}
