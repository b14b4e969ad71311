import { base, baseSepolia } from "viem/chains";
import type { Env } from "@/server/lib/env";
import type { FurtherWallets } from "./schema";

type Configured = Pick<Env, "WALLETCONNECT_PROJECT_ID" | "BASE_ACCOUNT">;

/**
 * How owners can connect a wallet beside those in their browser. A Base Account is a contract on
 * Base and its test network; elsewhere nobody could check what it signs.
 */
export function furtherWallets(env: Configured, chainId: number): FurtherWallets {
  const isBase = chainId === base.id || chainId === baseSepolia.id;
  return {
    walletConnectProjectId: env.WALLETCONNECT_PROJECT_ID ?? null,
    baseAccount: env.BASE_ACCOUNT && isBase,
  };
}
