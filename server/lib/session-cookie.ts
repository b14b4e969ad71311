import type { Context } from "./context";

/**
 * The cookie of a signed-in browser. Scripts cannot read it, other sites' requests do not carry it,
 * and over https the prefix `__Host-` (RFC 6265bis) keeps other hosts of a domain from setting it.
 */
const NAME = "standing_session";
const SECURE_NAME = `__Host-${NAME}`;

type CookieContext = Pick<Context, "env" | "request">;

const isSecure = ({ env, request }: CookieContext) =>
  (env.PUBLIC_URL ?? request.origin).startsWith("https:");

/**
 * Returns the `Set-Cookie` that signs in until `expiresAt`; without a token, one that signs out.
 */
export function createSessionCookie(
  context: CookieContext,
  session: { token: string; expiresAt: Date } | null,
): string {
  const secure = isSecure(context);
  return [
    `${secure ? SECURE_NAME : NAME}=${session?.token ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    ...(secure ? ["Secure"] : []),
    `Expires=${(session?.expiresAt ?? new Date(0)).toUTCString()}`,
  ].join("; ");
}

/** Returns the token in a `Cookie` header, or null. */
export function readSessionToken(isHttps: boolean, header: string | undefined): string | null {
  return readCookie(header, isHttps ? SECURE_NAME : NAME);
}

/** Whether a `Cookie` header may carry a session, valid or not. */
export function hasSessionCookie(header: string | undefined): boolean {
  return header?.includes(NAME) ?? false;
}

/** Returns the value of the first cookie called `name` in a `Cookie` header, or null. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
