import { join } from "node:path";
import { getLockHolder } from "@/server/local/data-folder";
import { loadDotEnv } from "./dot-env.mjs";

/** Returns the URL of the service that runs on the data folder, or else that of `PORT`. */
export function findServiceUrl(): string {
  loadDotEnv();
  const { DATA_DIR, PORT } = process.env;
  const service = getLockHolder(join(DATA_DIR || ".data", "service.json"));
  return service?.url ?? `http://localhost:${PORT || 3000}`;
}
