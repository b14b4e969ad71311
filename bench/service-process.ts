import { openRuntime } from "@/server/bootstrap/boot";
import { getConfiguredParts } from "@/server/bootstrap/parts";
import { parseEnv } from "@/server/lib/env";
import { serveRest } from "@/server/rest/transports/node-http";
import { serveForParent } from "./listen";

// The service as `server.ts` runs it, with the same transport and runtime, but without pages.
const env = parseEnv();
const runtime = await openRuntime(env, getConfiguredParts(env));
serveForParent((req, res) => void serveRest(runtime.rest, req, res));
await runtime.startWork();
