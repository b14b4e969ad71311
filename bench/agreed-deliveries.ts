import { agreements, createClient } from "@standing/sdk";
import pLimit from "p-limit";
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { DAY_MS } from "@/server/lib/time";
import { CONNECTIONS, type HttpRequest } from "./load";
import { createSubmission, DELIVERABLE, type SeededAgent, TASK } from "./workload";

/** Returns the accounts of new wallets by address, for agents that can sign. */
export function createAccounts(count: number): Map<Hex, PrivateKeyAccount> {
  const accounts = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()));
  return new Map(accounts.map((account) => [account.address, account]));
}

/**
 * Has each agent agree with the next one on jobs, `count` in all, at the service at `url`. Returns the
 * deliveries to send, each once.
 */
export async function agreeOnJobs(
  url: string,
  {
    agents,
    accounts,
    count,
  }: { agents: SeededAgent[]; accounts: Map<Hex, PrivateKeyAccount>; count: number },
): Promise<HttpRequest[]> {
  const open = (agent: SeededAgent | undefined) => {
    const account = agent && accounts.get(agent.wallet);
    if (!account) throw new Error("An agent has no account");
    return { agent, account, client: createClient({ url, apiKey: agent.apiKey }) };
  };
  return pLimit(CONNECTIONS).map(Array.from({ length: count }), async (_, index) => {
    const contractor = open(agents[index % agents.length]);
    const requester = open(agents[(index + 1) % agents.length]);
    const proposal = await agreements.propose(requester.client, requester.account, {
      requester: requester.agent.wallet,
      contractor: contractor.agent.wallet,
      task: TASK,
      category: "code-review",
      valueUsdc: 25.5,
      payment: "on-delivery",
      deliverBy: new Date(Date.now() + DAY_MS).toISOString(),
      requirements: [
        { check: "word-count", max: 250 },
        { check: "contains", phrases: ["timeout", "backoff"] },
        { check: "list-item-count", min: 4 },
      ],
    });
    await agreements.accept(contractor.client, contractor.account, proposal);
    const { agreementId } = proposal;
    return createSubmission(contractor.agent, { agreementId, deliverableContent: DELIVERABLE });
  });
}
