import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { connection } from "next/server";
import { cache } from "react";
import type { Account } from "@/server/agents/schema";
import { getRuntime } from "@/server/bootstrap/runtime";
import { buildUrl } from "@/server/lib/build-url";
import { readSessionToken } from "@/server/lib/session-cookie";
import { toAppError } from "@/server/lib/to-app-error";
import { getServiceOrigin } from "@/server/rest/request/request-headers";

// Every function below waits for a connection: without it, Next would call them at build time, when
// there is no service.

/**
 * Returns the API for server-rendered pages: the same procedures, in process, as an anonymous
 * visitor.
 */
export function getPageApi() {
  return createCallerFor(null);
}

/** Returns the API for the owners' pages, as the user signed in to the requesting browser. */
export async function getOwnerApi() {
  const jar = await cookies();
  const { core } = await getRuntime();
  const isHttps = core.env.PUBLIC_URL?.startsWith("https:") ?? false;
  return createCallerFor(readSessionToken(isHttps, jar.toString()));
}

/** Returns the account signed in to the requesting browser, or null. */
export async function getSignedInAccount(): Promise<Account | null> {
  try {
    return await (await getOwnerApi()).agents.account.me();
  } catch (error) {
    if (toAppError(error).code === "unauthenticated") return null;
    throw error;
  }
}

async function createCallerFor(session: string | null) {
  await connection();
  const { call } = await getRuntime();
  return call({
    request: {
      id: randomUUID(),
      ip: "127.0.0.1",
      origin: "",
      apiKey: null,
      session,
      claimedWallet: null,
      idempotencyKey: null,
      transport: "page",
    },
    reply: { header: () => {} },
  });
}

/** Returns the public URL of the service, without a trailing slash. */
export async function getSiteUrl(): Promise<string> {
  await connection();
  return (await getRuntime()).url;
}

/** Returns where to report vulnerabilities (a `mailto:` or `https:` URL), or null. */
export async function getSecurityContact(): Promise<string | null> {
  await connection();
  return (await getRuntime()).core.env.SECURITY_CONTACT ?? null;
}

/** Returns where the service's source can be read, or null. */
export async function getSourceUrl(): Promise<string | null> {
  await connection();
  return (await getRuntime()).core.env.SOURCE_URL ?? null;
}

/** Resolves to the procedure's result. Shows the 404 page on `not-found` or `invalid-request`. */
export async function resolveOr404<T>(call: Promise<T>): Promise<T> {
  const found = await resolveOrNull(call);
  if (found === null) notFound();
  return found;
}

/** Resolves to the procedure's result, or to null on `not-found` or `invalid-request`. */
export async function resolveOrNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    const { code } = toAppError(error);
    if (code === "not-found" || code === "invalid-request") return null;
    throw error;
  }
}

const OPTIONAL_WITHIN_MS = 1_000;

/**
 * Resolves to the procedure's result, or to `fallback` if it fails or takes long: for parts of a page
 * without which it is still useful while the database is unavailable.
 */
export function resolveOptional<T>(call: Promise<T>, fallback: T): Promise<T> {
  const late = pause(OPTIONAL_WITHIN_MS, fallback, { ref: false });
  return Promise.race([call.catch(() => fallback), late]);
}

/** Returns the public URL of this service for absolute links, without a trailing slash. */
export async function getSiteOrigin(): Promise<string> {
  const host = (await headers()).get("host") ?? undefined;
  const { core } = await getRuntime();
  return getServiceOrigin(core.env, host);
}

/** Returns the health of every part, and its history if the database has it, for the status page. */
export async function getStatus() {
  await connection();
  const { health, statusDays } = await getRuntime();
  const [now, days] = await Promise.all([health(), resolveOptional(statusDays(), null)]);
  return { health: now, days };
}

/** Returns the account of the requesting browser, or null; read once per request. */
export const readAccount = cache(getSignedInAccount);

/**
 * Returns the signed-in owner's agent and API. Redirects to registration without a verified agent,
 * and to the sign-in page without a session.
 * @param section Section of the dashboard to return to afterwards.
 * @param query Query of that section's page.
 */
export async function requireOwner(section?: string, query: Record<string, string> = {}) {
  const account = await readAccount();
  if (!account) redirect(buildUrl("/sign-in", { section, ...query }));
  const { agent, walletAddress } = account;
  if (!agent?.walletVerified) redirect(buildUrl("/register", { section, ...query }));
  return { agent, walletAddress, api: await getOwnerApi() };
}
