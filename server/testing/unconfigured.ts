import { readFileSync } from "node:fs";

/**
 * Returns every documented variable as empty: neither a shell nor a .env file may affect a test.
 */
export function unconfigured(): Record<string, string> {
  const names = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, ""]));
}
