import { and, asc, eq, isNull, lt, or } from "drizzle-orm";
import { isContractRefusal } from "@/server/chain/score-gate";
import type { Core } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { readIdentityFile } from "./read-file";
import { identityAbi, requireRegistries } from "./registry";
import { identityLinks } from "./tables";

/** Files read at the same time, in one run. */
const BATCH = 20;

/**
 * Reads the registration files of identities that were linked, or whose link was checked, since their
 * file was read. Throws if the node is unreachable.
 */
export async function readDueFiles({
  db,
  chain,
  env,
}: Pick<Core, "db" | "chain" | "env">): Promise<void> {
  const address = requireRegistries(chain).identityAddress;
  const { wallet, erc8004AgentId, checkedAt, fileReadAt } = identityLinks;
  // Before the reads, so that a check that comes during them makes the file due again.
  const now = await readDatabaseTime(db);
  const due = await db
    .select({ wallet, id: erc8004AgentId })
    .from(identityLinks)
    .where(or(isNull(fileReadAt), lt(fileReadAt, checkedAt)))
    .orderBy(asc(checkedAt))
    .limit(BATCH);
  await Promise.all(
    due.map(async (link) => {
      const call = { address, abi: identityAbi, functionName: "tokenURI" } as const;
      const uri = await chain.client
        .readContract({ ...call, args: [BigInt(link.id)] })
        .catch((error: unknown) => {
          if (isContractRefusal(error)) return "";
          throw error;
        });
      const allowLoopback = env.OUTBOUND_ALLOW_LOOPBACK ?? false;
      const file = await readIdentityFile(uri, { allowLoopback });
      await db
        .update(identityLinks)
        .set({ file, fileReadAt: now })
        .where(and(eq(wallet, link.wallet), eq(erc8004AgentId, link.id)));
    }),
  );
}
