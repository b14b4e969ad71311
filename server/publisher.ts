import type { Logger } from "pino";
import { openEngine } from "./engine/open-engine";
import { createFunctions } from "./functions";
import type { Env } from "./lib/env";
import type { FunctionCore } from "./lib/inngest";
import type { Publish } from "./lib/publish";

type FunctionParts = Parameters<typeof createFunctions>[1];

/** Announces events from a process that runs none of the functions: the service does. */
export interface Publisher {
  publish: Publish;
  close(): Promise<void>;
}

/** Over the service's own database; it knows which function waits for which event. */
export function openPublisher(options: { env: Env; databaseUrl: string; log: Logger }): Publisher {
  const engine = openEngine(options);
  // The functions are only named here, and what they would work with is never touched.
  const core = { ...options, inngest: engine.inngest } as unknown as FunctionCore;
  engine.register(createFunctions(core, { judge: { id: "" } } as FunctionParts));
  return { publish: engine.publish, close: () => engine.stop() };
}
