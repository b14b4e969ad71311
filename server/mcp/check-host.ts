import { isIP } from "node:net";
import type { Env } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";

/**
 * Throws `foreign-page` unless the `Host` header names this service. A page whose own name resolves to
 * this machine (DNS rebinding) can make a browser call it without being another site. An address
 * can't be rebound. Behind trusted proxies, the proxy routes by the name that it serves.
 */
export function checkHost(
  env: Pick<Env, "PUBLIC_URL" | "HOST" | "TRUSTED_PROXIES">,
  host: string | undefined,
): void {
  if (host === undefined || env.TRUSTED_PROXIES > 0) return;
  const name = new URL(`http://${host}`).hostname;
  const own = env.PUBLIC_URL && new URL(env.PUBLIC_URL).hostname;
  const isAddress = name.startsWith("[") || isIP(name) === 4;
  if (isAddress || name === "localhost" || name === own || name === env.HOST.toLowerCase()) return;
  throw new AppError(
    "foreign-page",
    "The header Host does not name this service. If it should, set PUBLIC_URL to the service's address.",
  );
}
