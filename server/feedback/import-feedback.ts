import { decodeEventLog, type Hex, toEventSelector } from "viem";
import { readNewLogs } from "@/server/chain/read-new-logs";
import type { RawLog } from "@/server/chain/registry/read-logs";
import { columns } from "@/server/db/arrays";
import type { Core, Transaction } from "@/server/lib/context";
import { toChecksumAddress } from "@/server/lib/wallet";
import { reputationAbi } from "./reputation-registry";

const TOPICS: Hex[] = reputationAbi
  .filter((entry) => entry.type === "event")
  .map((event) => toEventSelector(event));

/**
 * Stores the feedback that the reputation registry got since the last call, up to the latest finalized
 * block. All of it: an agent may be linked later. Returns whether it is complete up to there. Throws if
 * the node is unreachable.
 */
export async function importFeedback(core: Pick<Core, "db" | "chain">): Promise<boolean> {
  const { id, erc8004 } = core.chain;
  if (!erc8004) return false;
  const { reputationAddress: address, fromBlock } = erc8004;
  const filter = { address, topics: [TOPICS] };
  return readNewLogs(core, { cursor: `feedback:${id}:${address}`, filter, fromBlock }, storeLogs);
}

/** Stores new feedback, and then which of it was revoked: a revocation follows what it revokes. */
async function storeLogs({ sql }: Transaction, logs: RawLog[]): Promise<void> {
  const rows = logs.map(({ topics, data }) => {
    const { args } = decodeEventLog({ abi: reputationAbi, topics, data });
    return {
      agentId: String(args.agentId),
      client: toChecksumAddress(args.clientAddress),
      index: args.feedbackIndex,
      fileHash: "feedbackHash" in args ? args.feedbackHash : null,
    };
  });
  const given = rows.filter(({ fileHash }) => fileHash !== null);
  const revoked = rows.filter(({ fileHash }) => fileHash === null);
  const key = { agentId: "text", client: "text", index: "bigint" } as const;
  // A local chain that started over counts again.
  await sql`
    insert into registry_feedback (erc8004_agent_id, client, feedback_index, file_hash)
    select * from unnest(${columns(sql, given, { ...key, fileHash: "text" })})
    on conflict (erc8004_agent_id, client, feedback_index)
    do update set file_hash = excluded.file_hash, is_revoked = false`;
  await sql`
    update registry_feedback set is_revoked = true
    from unnest(${columns(sql, revoked, key)}) as log (agent_id, client, index)
    where erc8004_agent_id = log.agent_id and registry_feedback.client = log.client
      and feedback_index = log.index`;
}
