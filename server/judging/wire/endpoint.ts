import type { ClientOptions } from "openai";
import type { Env } from "@/server/lib/env";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/**
 * The configured endpoint as the `openai` package takes it, and its host. A query in the base URL
 * goes along with every request (Azure's `api-version`). Nothing comes from the environment of the
 * process, and the package itself repeats nothing and logs nothing.
 */
export function endpointOf(env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL">) {
  const url = new URL(env.OPENAI_BASE_URL ?? DEFAULT_BASE_URL);
  const azure = url.hostname.endsWith(".openai.azure.com");
  const options = {
    baseURL: url.origin + url.pathname.replace(/\/+$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    // Local endpoints need no key, the package needs one.
    apiKey: env.OPENAI_API_KEY ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    ...(azure && env.OPENAI_API_KEY ? { defaultHeaders: { "api-key": env.OPENAI_API_KEY } } : {}),
    maxRetries: 0,
    logLevel: "off",
  } satisfies ClientOptions;
  return { options, host: url.host };
}
