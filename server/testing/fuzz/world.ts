import { sql } from "drizzle-orm";
import { rateLimitWindows } from "@/server/rate-limit/tables";
import { fund, getServiceChain, payUsdc } from "@/server/testing/chain/payments";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { startTestService, type TestService } from "@/server/testing/service";
import type { KnownData } from "./request";

export interface FuzzWorld {
  service: TestService;
  known: KnownData;
  /** Collects the ids in a response for later requests. */
  learn(text: string): void;
  /** Clears the rate limits, so that they do not hide the behaviour behind them. */
  clearRateLimits(): Promise<void>;
  close(): Promise<void>;
}

const MAX_KNOWN = 4;
const ID_FIELDS = /"((?:outcome|dispute|webhook|delivery)Id)":"([^"]+)"/g;
/** Correct in shape and checksum, but never issued. */
const FORGED = "rep_0wXmKq5oYhT3vRr8Zs1CgUjN6dLbPfAeI7t9BnVkWxQ2MyS4c";

/**
 * Starts a whole service with data of every kind: agents, resolved and pending outcomes, a dispute,
 * a webhook with deliveries, keys.
 */
export async function startFuzzWorld(): Promise<FuzzWorld> {
  const receiver = await startReceiver({ answer: () => 204 });
  const service = await startTestService({
    env: { TRUSTED_PROXIES: "1", DISPUTE_RESPONSE_WINDOW: "1h" },
  });
  const [contractor, requester, stranger] = await Promise.all([
    service.agent({ proven: true }),
    service.agent({ proven: true }),
    service.agent(),
  ]);
  const known: KnownData = {
    keys: {
      contractor: contractor.apiKey,
      requester: requester.apiKey,
      stranger: stranger.apiKey,
      anonymous: null,
      forger: FORGED,
    },
    wallets: [contractor.wallet, requester.wallet, stranger.wallet],
    ids: new Map(),
    hashes: [],
    urls: [receiver.url, "http://127.0.0.1:1024/unreachable", "http://10.0.0.1/"],
  };
  const world: FuzzWorld = {
    service,
    known,
    learn(text) {
      // Collects only new keys: a request may revoke them, and the callers' own must stay valid.
      const pattern = text.includes('"apiKey"') ? /"(keyId)":"([^"]+)"/g : ID_FIELDS;
      for (const [, name = "", id = ""] of text.matchAll(pattern)) {
        const ids = known.ids.get(name) ?? [];
        if (!ids.includes(id)) known.ids.set(name, [id, ...ids].slice(0, MAX_KNOWN));
      }
    },
    clearRateLimits: async () => {
      await service.database.db.execute(sql`delete from ${rateLimitWindows}`);
    },
    async close() {
      await service.close();
      await receiver.close();
    },
  };
  await createData(world, { contractor, requester, receiver });
  return world;
}

async function createData(
  { service, known, learn }: FuzzWorld,
  {
    contractor,
    requester,
    receiver,
  }: { contractor: TestAgent; requester: TestAgent; receiver: Receiver },
): Promise<void> {
  const request = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await service.call(method, path, { key, body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    learn(response.text);
    return response.body;
  };
  const work = {
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: "Name three rivers of Europe.",
    taskCategory: "research",
    valueUsdc: 12.5,
  };
  const { outcomeId } = await request("POST", "/outcome", contractor.apiKey, {
    ...work,
    deliverableContent: "The Rhine, the Loire and the Vistula.",
  });
  await service.waitForResolved(outcomeId);
  const local = getServiceChain(service);
  await fund(local, requester.wallet);
  const stake = () => payUsdc(local, requester.account, local.chain.stakeAddress, 500_000n);
  const [spent, spare] = [await stake(), await stake()];
  known.hashes.push(spent.transactionHash, spare.transactionHash);
  await request("POST", "/disputes", requester.apiKey, {
    outcomeId,
    reason: "One of them is no river.",
    stakePaymentTxHash: spent.transactionHash,
  });
  await request("POST", "/outcome", requester.apiKey, { ...work, deliverableContent: "" });
  const { webhookId } = await request("POST", "/webhooks", contractor.apiKey, {
    url: receiver.url,
    events: ["outcome.resolved", "score.updated"],
  });
  await request("POST", `/webhooks/${webhookId}/ping`, contractor.apiKey);
  await request("GET", `/webhooks/${webhookId}/deliveries`, contractor.apiKey);
}
