import type { Logger } from "pino";
import { openEngine } from "@/server/engine/open-engine";
import type { Env } from "@/server/lib/env";
import type { FunctionCore } from "@/server/lib/inngest";
import type { Publish } from "@/server/lib/publish";
import { createFunctions } from "./functions";

type FunctionParts = Parameters<typeof createFunctions>[1];

/** Publishes events from a process that runs no functions itself; the service runs them. */
export interface Publisher {
  publish: Publish;
  close(): Promise<void>;
}

/**
 * Opens a publisher over the service's own database. It knows which function each event triggers.
 */
export function openPublisher(options: { env: Env; databaseUrl: string; log: Logger }): Publisher {
  const engine = openEngine(options);
  // The functions are only named here, so their dependencies are never used.
  const core = { ...options, inngest: engine.inngest } as unknown as FunctionCore;
  engine.register(createFunctions(core, { judge: { id: "" } } as FunctionParts));
  return { publish: engine.publish, close: () => engine.stop() };
}
