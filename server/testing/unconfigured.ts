import { readFileSync } from "node:fs";

/** Every documented variable, empty: neither a shell nor a .env file may reach what is tested. */
export function unconfigured(): Record<string, string> {
  const names = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, ""]));
}
