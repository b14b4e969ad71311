import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version of the package, which is that of the API and of MCP too. */
export function readVersion(): string {
  return JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8")).version;
}
