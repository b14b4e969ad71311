import type { ClientOptions } from "openai";
import type { Env } from "@/server/lib/env";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/**
 * Returns the configured endpoint's options for the `openai` package, and its host. Appends a query
 * in the base URL to every request (Azure's `api-version`). Reads nothing from the process
 * environment; the package's own retries and logging are off.
 */
export function endpointOf(env: Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL">) {
  const url = new URL(env.OPENAI_BASE_URL ?? DEFAULT_BASE_URL);
  const azure = url.hostname.endsWith(".openai.azure.com");
  const options = {
    baseURL: url.origin + url.pathname.replace(/\/+$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    // Local endpoints need no key, but the package requires one.
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
