import type { Env } from "./env";

/**
 * The header that keeps browsers to https for a year (RFC 6797), where `PUBLIC_URL` says that
 * people come by it. It speaks for this host alone: of others nothing is known.
 */
export function onlyHttps({ PUBLIC_URL }: Pick<Env, "PUBLIC_URL">): Record<string, string> {
  return PUBLIC_URL?.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000" }
    : {};
}
