import { sql } from "drizzle-orm";
import {
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  numberToHex,
  pad,
  parseAbiParameters,
  stringToHex,
  toEventSelector,
} from "viem";
import type { RawLog } from "@/server/chain/registry/read-logs";
import { openDatabase } from "@/server/db/client";
import { collectChanges, indexRegistrations } from "@/server/identities/index-registrations";
import { identities } from "@/server/identities/tables";
import type { ChainInfo } from "@/server/lib/context";
import { serveHandler } from "@/server/testing/http/listen";
import type { BenchEnvironment } from "./environment";
import { createFigure, type Figure } from "./measure";

const REGISTRATIONS = 300_000;
const PER_BLOCK = 30;
const REGISTRY = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
const [REGISTERED, TRANSFER, METADATA_SET] = [
  toEventSelector("Registered(uint256,string,address)"),
  toEventSelector("Transfer(address,address,uint256)"),
  toEventSelector("MetadataSet(uint256,string,string,bytes)"),
];
const WALLET_KEY = keccak256(stringToHex("agentWallet"));
const LAST_BLOCK = REGISTRATIONS / PER_BLOCK - 1;

/**
 * Measures the registrations per second that the index of ERC-8004 reads over HTTP from a node, with
 * three logs each, and stores. Yardstick: decoding the same logs.
 */
export async function measureIdentities(env: BenchEnvironment): Promise<Figure[]> {
  const node = await serveHandler(async (request) => {
    const { id, method, params } = (await request.json()) as RpcCall;
    return Response.json({ jsonrpc: "2.0", id, result: answer(method, params) });
  });
  const { db, close } = openDatabase(await env.createDatabase("identities"));
  const chain = {
    id: 8453,
    rpcUrl: null,
    erc8004: { identityAddress: REGISTRY, reputationAddress: REGISTRY, fromBlock: 0n },
    client: createPublicClient({ transport: http(node.url, { timeout: 60_000 }) }),
  } as unknown as ChainInfo;
  const started = performance.now();
  while (!(await indexRegistrations({ db, chain })));
  const seconds = (performance.now() - started) / 1_000;
  const [counted] = await db.select({ count: sql<number>`count(*)::int` }).from(identities);
  await close();
  await node.close();
  if (counted?.count !== REGISTRATIONS) throw new Error(`${counted?.count} are in the index`);
  const value = Math.round(REGISTRATIONS / seconds);
  return [createFigure("identities.indexed", "registrations/s", value, measureDecoding())];
}

interface RpcCall {
  id: number;
  method: string;
  params: { fromBlock: Hex; toBlock: Hex }[];
}

/** Returns what the node answers. */
function answer(method: string, [filter]: RpcCall["params"]): unknown {
  if (method === "eth_getBlockByNumber") {
    return { number: numberToHex(LAST_BLOCK), transactions: [], timestamp: "0x0" };
  }
  if (method !== "eth_getLogs" || !filter) throw new Error(`the node has no ${method}`);
  return listLogs(Number(filter.fromBlock), Number(filter.toBlock));
}

/** Returns the logs of the registrations in these blocks. */
function listLogs(from: number, to: number): RawLog[] {
  const first = from * PER_BLOCK;
  const count = (to - from + 1) * PER_BLOCK;
  return Array.from({ length: count }, (_, index) => createLogs(first + index)).flat();
}

function createLogs(agentId: number): RawLog[] {
  const id = pad(numberToHex(agentId));
  const wallet = pad(numberToHex(agentId + 1, { size: 20 }), { dir: "right", size: 20 });
  const owner = pad(wallet);
  const place = {
    address: REGISTRY,
    blockNumber: numberToHex(Math.floor(agentId / PER_BLOCK)),
    logIndex: numberToHex(agentId % PER_BLOCK),
    transactionHash: id,
  } as const;
  const uri = encodeAbiParameters(parseAbiParameters("string"), [
    `https://agents.example/${agentId}/registration.json`,
  ]);
  const metadata = encodeAbiParameters(parseAbiParameters("string, bytes"), [
    "agentWallet",
    wallet,
  ]);
  return [
    { ...place, topics: [TRANSFER, pad("0x"), owner, id], data: "0x" },
    { ...place, topics: [REGISTERED, id, owner], data: uri },
    { ...place, topics: [METADATA_SET, id, WALLET_KEY], data: metadata },
  ];
}

/** Returns the registrations per second whose logs are decoded. */
function measureDecoding(): number {
  let ms = 0;
  const blocks = 300;
  for (let block = 0; block < LAST_BLOCK; block += blocks) {
    const logs = listLogs(block, Math.min(block + blocks - 1, LAST_BLOCK));
    const started = performance.now();
    collectChanges(logs);
    ms += performance.now() - started;
  }
  return Math.round((1_000 * REGISTRATIONS) / ms);
}
