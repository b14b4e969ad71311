import { randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import { type Address, type Hex, hashTypedData, type TypedDataDefinition } from "viem";
import { generatePrivateKey, privateKeyToAccount, sign } from "viem/accounts";
import { hashTerms, toTermsTypedData } from "@/server/agreements/hash-terms";
import type { Terms } from "@/server/agreements/schema";
import type { Chain } from "@/server/chain/client";
import { openDatabase } from "@/server/db/client";
import { DAY_MS } from "@/server/lib/time";
import type { HttpEffort, RequestKind } from "./http";
import { CONNECTIONS, type HttpRequest } from "./load";
import { DELIVERABLE, type SeededAgent, seedAgents, TASK } from "./workload";

/** Requests prepared per second of a load. */
const PREPARED = 3_000;

/** Two agents that sign terms with each other. */
interface Parties {
  contractor: SeededAgent;
  requester: SeededAgent;
}

type JobTerms = Pick<Terms, "chainId"> & Partial<Pick<Terms, "criteria">>;

interface Job extends Parties {
  id: string;
  terms: Terms;
  termsHash: Hex;
}

const inWholeSeconds = (ms: number) =>
  new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, "Z");

/** Returns the job of agent `index` for the next one, counted round, as both parties would draft it. */
function createJob(
  agents: SeededAgent[],
  index: number,
  { chainId, criteria = [] }: JobTerms,
): Job {
  const contractor = agents[index % agents.length];
  const requester = agents[(index + 1) % agents.length];
  if (!contractor || !requester) throw new Error("There are no agents");
  const terms: Terms = {
    version: 2,
    chainId,
    requester: requester.wallet,
    contractor: contractor.wallet,
    task: TASK,
    category: "code-review",
    valueMicro: "25500000",
    payment: "on-delivery",
    startBy: inWholeSeconds(DAY_MS / 4),
    deliverBy: inWholeSeconds(DAY_MS),
    delivery: "content",
    requirements: [
      { check: "word-count", max: 250 },
      { check: "contains", phrases: ["timeout", "backoff"] },
      { check: "list-item-count", min: 4 },
    ],
    criteria,
    nonce: `0x${randomBytes(32).toString("hex")}`,
  };
  return { contractor, requester, id: randomUUID(), terms, termsHash: hashTerms(terms) };
}

/** Stores jobs as agreements that one party has signed, or both. Their signatures are not checked again. */
async function insertJobs(sql: postgres.Sql, jobs: Job[], status: "PROPOSED" | "AGREED") {
  const signature = `0x${"1b".repeat(65)}`;
  const rows = jobs.map(({ id, terms, termsHash }) => ({
    id,
    terms: JSON.stringify(terms),
    terms_hash: termsHash,
    digest: termsHash,
    requester: terms.requester,
    contractor: terms.contractor,
    value_micro: terms.valueMicro,
    start_by: terms.startBy,
    deliver_by: terms.deliverBy,
    proposed_by: "requester",
    status,
    requester_signature: signature,
    contractor_signature: status === "AGREED" ? signature : null,
    agreed_at: status === "AGREED" ? new Date().toISOString() : null,
  }));
  for (let from = 0; from < rows.length; from += 2_000) {
    await sql`insert into agreements ${sql(rows.slice(from, from + 2_000))}`;
  }
}

/**
 * Stores `count` agreements that both parties have signed, with criteria for the judge or without.
 * Returns the deliveries to send, each once.
 */
export async function seedDeliveries(
  url: string,
  { agents, count, ...given }: { agents: SeededAgent[]; count: number } & JobTerms,
): Promise<RequestKind> {
  const {
    db: { sql },
    close,
  } = openDatabase(url, 1);
  const jobs = Array.from({ length: count }, (_, n) => createJob(agents, n, given));
  // Only the owner of a wallet can deliver.
  await sql`update agents set wallet_verified_at = now()`;
  await insertJobs(sql, jobs, "AGREED");
  await close();
  return onceEach(
    jobs.map(({ id, contractor }) =>
      createRequest(contractor, "/api/v1/outcome", {
        agreementId: id,
        deliverableContent: DELIVERABLE,
      }),
    ),
  );
}

const createRequest = (
  { apiKey, id, wallet }: SeededAgent,
  path: string,
  body: object,
): HttpRequest => ({
  method: "POST",
  path,
  headers: {
    "Content-Type": "application/json",
    "X-API-Key": apiKey,
    // Read by the bare server, which does not look up the agent.
    "X-Agent-Id": id,
    "X-Agent-Wallet": wallet,
    "Idempotency-Key": randomUUID(),
  },
  body: JSON.stringify(body),
});

/**
 * Adds `count` agents with wallets that can sign, and their agreements, to the database at `url`.
 * Returns the requests to measure: proposals, acceptances, checks and deliveries.
 */
export async function seedAgreements(
  url: string,
  { chain, count, effort }: { chain: Chain; count: number; effort: HttpEffort },
): Promise<Record<string, RequestKind>> {
  const accounts = new Map(
    Array.from({ length: count }, () => {
      const key = generatePrivateKey();
      return [privateKeyToAccount(key).address, key];
    }),
  );
  const agents = await seedAgents(url, count, [...accounts.keys()]);
  // The share of each connection is rounded up, in every round and the warm-up.
  const amount =
    PREPARED * (effort.warmUp + effort.rounds * effort.seconds) + CONNECTIONS * (effort.rounds + 1);
  /** Returns jobs with the signature of one party, each to be used once. */
  const signJobs = async (party: keyof Parties) => {
    const jobs = [];
    for (let n = 0; n < amount; n++) {
      const job = createJob(agents, n, { chainId: chain.id });
      const typedData = toTermsTypedData(chain.registryAddress, job.terms, job.termsHash);
      const signature = await sign({
        hash: hashTypedData(typedData as TypedDataDefinition),
        privateKey: accounts.get(job[party].wallet as Address) as Hex,
        to: "hex",
      });
      jobs.push({ ...job, signature });
    }
    return jobs;
  };
  const proposed = await signJobs("requester");
  const accepted = await signJobs("contractor");
  const {
    db: { sql },
    close,
  } = openDatabase(url, 1);
  await insertJobs(sql, accepted, "PROPOSED");
  await close();
  const checks = accepted.map(({ contractor, id }) =>
    createRequest(contractor, `/api/v1/agreements/${id}/check`, {
      deliverableContent: DELIVERABLE,
    }),
  );
  return {
    "agreement.propose": onceEach(
      proposed.map(({ requester, terms, signature }) =>
        createRequest(requester, "/api/v1/agreements", { terms, signature }),
      ),
    ),
    "agreement.accept": onceEach(
      accepted.map(({ contractor, id, signature }) =>
        createRequest(contractor, `/api/v1/agreements/${id}/accept`, { signature }),
      ),
    ),
    "agreement.check": {
      draw: (index) => checks[index % checks.length] as HttpRequest,
      prepared: 3 * PREPARED,
    },
    "agreement.deliver": await seedDeliveries(url, {
      agents,
      chainId: chain.id,
      criteria: ["Every finding names the harm."],
      count: amount,
    }),
  };
}

const onceEach = (requests: HttpRequest[]): RequestKind => ({
  draw(index) {
    const request = requests[index];
    if (!request) throw new Error(`More than ${requests.length} agreements are needed`);
    return request;
  },
  prepared: PREPARED,
});
