import { readFileSync } from "node:fs";

/**
 * Lets Next start with the configuration that the build stored. Otherwise it would compile
 * `next.config.ts`, for which a production install has no compiler. The server that Next generates for
 * `output: "standalone"` sets the same variable.
 */
export function startWithBuiltConfig(): void {
  const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
