import { openRuntime } from "@/server/bootstrap/boot";
import { parseEnv } from "@/server/lib/env";
import { openLocalParts } from "@/server/local/local-parts";
import { serveRest } from "@/server/rest/transports/node-http";
import { serveForParent } from "./listen";

// The service as `server.ts` runs it, with the same transport and runtime, but without pages.
const env = parseEnv();
const parts = await openLocalParts(
  env,
  (_name, start) => start(),
  () => {},
);
const runtime = await openRuntime(env, parts);
serveForParent((req, res) => void serveRest(runtime.rest, req, res));
await runtime.startWork();
