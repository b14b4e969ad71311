import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { issueKey } from "@/server/agents/keys";
import { agents } from "@/server/agents/tables";
import type { Core } from "@/server/lib/context";

export interface TestAgent {
  id: string;
  wallet: `0x${string}`;
  /** Signs for the wallet. */
  account: PrivateKeyAccount;
  apiKey: string;
}

/** Creates an agent with an unverified wallet and its own key, as registration does. */
export async function testAgent(core: Pick<Core, "db">): Promise<TestAgent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address;
  return core.db.transaction(async (tx) => {
    const [agent] = await tx
      .insert(agents)
      .values({ wallet, name: "An agent" })
      .returning({ id: agents.id });
    if (!agent) throw new Error("the agent was not inserted");
    const { apiKey } = await issueKey(tx, agent.id);
    return { id: agent.id, wallet, account, apiKey };
  });
}
