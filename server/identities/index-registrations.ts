import { and, like, ne } from "drizzle-orm";
import {
  type Address,
  decodeEventLog,
  keccak256,
  size,
  stringToBytes,
  toEventSelector,
  zeroAddress,
} from "viem";
import { readNewLogs } from "@/server/chain/read-new-logs";
import type { RawLog } from "@/server/chain/registry/read-logs";
import { logCursors } from "@/server/chain/tables";
import { columns } from "@/server/db/arrays";
import type { Core, Transaction } from "@/server/lib/context";
import { toChecksumAddress } from "@/server/lib/wallet";
import { identityAbi } from "./registry";
import { identities } from "./tables";

const CURSOR_PREFIX = "identities:";
const WALLET_KEY = keccak256(stringToBytes("agentWallet"));
const METADATA_SET = toEventSelector("MetadataSet(uint256,string,string,bytes)");
const EVENTS = [
  METADATA_SET,
  toEventSelector("Registered(uint256,string,address)"),
  toEventSelector("Transfer(address,address,uint256)"),
  toEventSelector("URIUpdated(uint256,string,address)"),
];
/** A longer registration URI is not kept: it would be a document rather than an address. */
const LONGEST_URI = 2_000;

/**
 * Reads new registrations and changes of identities from finalized blocks into the index. Returns
 * whether it has caught up. Throws if the node is unreachable.
 */
export async function indexRegistrations(core: Pick<Core, "db" | "chain">): Promise<boolean> {
  const { chain } = core;
  if (!chain.erc8004) return false;
  const { identityAddress, fromBlock } = chain.erc8004;
  const cursor = `${CURSOR_PREFIX}${chain.id}:${identityAddress}`;
  await forgetOtherRegistries(core.db, cursor);
  const filter = { address: identityAddress, topics: [EVENTS] };
  return readNewLogs(core, { cursor, filter, fromBlock }, (tx, logs) =>
    storeChanges(tx, collectChanges(logs)),
  );
}

/** Empties the index if it is of another registry, which the operator has replaced. */
async function forgetOtherRegistries(db: Core["db"], cursor: string): Promise<void> {
  const isOther = and(like(logCursors.name, `${CURSOR_PREFIX}%`), ne(logCursors.name, cursor));
  const others = await db.select({ name: logCursors.name }).from(logCursors).where(isOther);
  if (others.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.delete(identities);
    await tx.delete(logCursors).where(like(logCursors.name, `${CURSOR_PREFIX}%`));
  });
}

/** What logs say about one identity; undefined: nothing. */
interface Change {
  id: string;
  owner?: Address;
  wallet?: Address | null;
  uri?: string;
  /** Set if it was registered. */
  registered?: bigint;
  changed: bigint;
}

/** Returns what the logs, in their order, change of each identity. */
function collectChanges(logs: RawLog[]): Change[] {
  const changes = new Map<string, Change>();
  for (const { topics, data, blockNumber } of logs) {
    if (topics[0] === METADATA_SET && topics[2] !== WALLET_KEY) continue;
    const { eventName, args } = decodeEventLog({ abi: identityAbi, topics, data });
    const id = String("tokenId" in args ? args.tokenId : args.agentId);
    const change: Change = changes.get(id) ?? { id, changed: 0n };
    changes.set(id, change);
    change.changed = BigInt(blockNumber);
    if (eventName === "Registered") change.uri = toStoredUri(args.agentURI);
    else if (eventName === "URIUpdated") change.uri = toStoredUri(args.newURI);
    else if (eventName === "MetadataSet") {
      const { metadataValue } = args;
      change.wallet = size(metadataValue) === 20 ? toChecksumAddress(metadataValue) : null;
    } else {
      // The owner acts for a new identity; a transfer clears the wallet.
      const isNew = args.from === zeroAddress;
      if (isNew) change.registered = change.changed;
      change.owner = args.to;
      change.wallet = isNew ? args.to : null;
    }
  }
  return [...changes.values()];
}

/** A text of the database has no NUL. */
const toStoredUri = (uri: string) => (uri.length > LONGEST_URI || uri.includes("\0") ? "" : uri);

async function storeChanges({ sql: run }: Transaction, changes: Change[]): Promise<void> {
  const rows = changes.map(({ id, owner, wallet, uri, registered, changed }) => ({
    id,
    owner: owner ?? null,
    wallet: wallet ?? null,
    sets_wallet: wallet !== undefined,
    uri: uri ?? null,
    registered: registered ?? null,
    changed,
  }));
  const values = columns(run, rows, {
    id: "text",
    owner: "text",
    wallet: "text",
    sets_wallet: "boolean",
    uri: "text",
    registered: "bigint",
    changed: "bigint",
  });
  await run`
    insert into identities as known (erc8004_agent_id, owner, agent_wallet, registration_uri,
      registered_block, changed_block)
    select id, owner, wallet, coalesce(uri, ''), registered, changed
    from unnest(${values}) as t (id, owner, wallet, sets_wallet, uri, registered, changed)
    where registered is not null
    on conflict (erc8004_agent_id) do update set owner = excluded.owner,
      agent_wallet = excluded.agent_wallet, registration_uri = excluded.registration_uri,
      registered_block = excluded.registered_block, changed_block = excluded.changed_block`;
  await run`
    update identities as known set owner = coalesce(t.owner, known.owner),
      agent_wallet = case when sets_wallet then wallet else agent_wallet end,
      registration_uri = coalesce(uri, registration_uri), changed_block = changed
    from unnest(${values}) as t (id, owner, wallet, sets_wallet, uri, registered, changed)
    where registered is null and erc8004_agent_id = id`;
}
