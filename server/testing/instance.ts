import type { LocalChain } from "@/server/local/anvil";
import { chainEnv } from "./chain-env";
import { type Standing, startStanding } from "./npm-start";

/** Starts `npm start` as one of several processes on a shared database and chain. */
export function startInstance(
  port: number,
  databaseUrl: string,
  chain: LocalChain,
  env: Record<string, string> = {},
): Standing {
  return startStanding({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ...chainEnv(chain),
    SECRET_KEY: "5".repeat(64),
    LOG_LEVEL: "warn",
    OUTBOUND_ALLOW_LOOPBACK: "true",
    PUBLIC_READS_PER_MINUTE: "1000000",
    ...env,
  });
}
