import type { LocalChain } from "@/server/local/anvil";
import { chainEnv } from "@/server/testing/chain-env";

/** Returns a service's configuration under test: production's, without read limits per client. */
export function serviceEnv(databaseUrl: string, chain: LocalChain): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ...chainEnv(chain),
    SECRET_KEY: "0".repeat(64),
    // The rate limiter counts every request of the only client, and admits all of them.
    PUBLIC_READS_PER_MINUTE: "1000000000",
  };
}
