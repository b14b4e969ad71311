// Apart from the schemas, which would load a validator into the form.
import type { SERVICE_KINDS } from "@/server/identities/schema";

/** Protocols of an agent's endpoint. */
export const ENDPOINT_KINDS = [
  "A2A",
  "MCP",
  "web",
  "OASF",
] as const satisfies readonly (typeof SERVICE_KINDS)[number][];
