import { randomUUID } from "node:crypto";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { Account } from "./agents/schema";
import { explain } from "./lib/explain";
import { sessionToken } from "./lib/session-cookie";
import { runtime } from "./runtime";

/**
 * The API as server-rendered pages call it: the same procedures, in process, as an anonymous
 * visitor.
 */
export function pageApi() {
  return callAs(null);
}

/** The same for the pages of owners, as the user of the signed-in browser that asks for one. */
export async function ownerApi() {
  const jar = await cookies();
  const { core } = await runtime();
  const isHttps = core.env.PUBLIC_URL?.startsWith("https:") ?? false;
  return callAs(sessionToken(isHttps, jar.toString()));
}

/** Who is signed in in the browser that asks for a page; null where nobody is. */
export async function signedIn(): Promise<Account | null> {
  try {
    return await (await ownerApi()).agents.account.me();
  } catch (error) {
    if (explain(error).code === "unauthenticated") return null;
    throw error;
  }
}

async function callAs(session: string | null) {
  // Whatever asks the service is made for a request, never while the pages are built.
  await connection();
  const { call } = await runtime();
  return call({
    request: {
      id: randomUUID(),
      ip: "127.0.0.1",
      origin: "",
      apiKey: null,
      session,
      claimedWallet: null,
      idempotencyKey: null,
      door: "page",
    },
    reply: { header: () => {} },
  });
}

/** Where people reach the service, without a trailing slash. */
export async function siteUrl(): Promise<string> {
  return (await runtime()).url;
}

/** The answer of a procedure; the 404 page where it knows nothing by that name or the name is none. */
export async function foundOr404<T>(answer: Promise<T>): Promise<T> {
  const found = await foundOrNull(answer);
  if (found === null) notFound();
  return found;
}

/** The answer of a procedure; null where it knows nothing by that name or the name is none. */
export async function foundOrNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const { code } = explain(error);
    if (code === "not-found" || code === "invalid-request") return null;
    throw error;
  }
}
