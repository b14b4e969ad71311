import { asc, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Core } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { loseLink } from "./link";
import { readHolding } from "./registry";
import { identities, identityLinks } from "./tables";

const BATCH = 200;

/**
 * Checks links again whose identity has changed since they were checked, and every link once a day:
 * approvals of operators are not indexed. A link that no longer holds ends. Returns the number that
 * ended. Throws if the node is unreachable; links then stay as they are.
 */
export async function recheckLinks({ db, chain, log }: Pick<Core, "db" | "chain" | "log">) {
  const due = await db
    .select({ link: identityLinks, changedBlock: identities.changedBlock })
    .from(identityLinks)
    .leftJoin(identities, eq(identities.erc8004AgentId, identityLinks.erc8004AgentId))
    .where(
      sql`${identities.changedBlock} > ${identityLinks.checkedBlock}
        or ${identityLinks.checkedAt} < ${databaseNow} - interval '1 day'`,
    )
    .orderBy(asc(identityLinks.checkedAt))
    .limit(BATCH);
  let lost = 0;
  for (const { link, changedBlock } of due) {
    const holding = await readHolding(chain, link.wallet as Address, link.erc8004AgentId);
    const seen = [link.checkedBlock, changedBlock ?? 0n];
    // Of several nodes behind one URL some lag, and would undo what was seen later.
    if (chain.rpcUrl === null && seen.some((block) => holding.block < block)) continue;
    const { proof, block } = holding;
    if (proof) {
      await db
        .update(identityLinks)
        .set({ proof, checkedBlock: block, checkedAt: databaseNow })
        .where(
          sql`${identityLinks.wallet} = ${link.wallet}
            and ${identityLinks.erc8004AgentId} = ${link.erc8004AgentId}`,
        );
    } else if (await db.transaction((tx) => loseLink(tx, link, holding))) {
      lost += 1;
      log.info({ wallet: link.wallet, identity: link.erc8004AgentId }, "an identity link ended");
    }
  }
  return lost;
}
