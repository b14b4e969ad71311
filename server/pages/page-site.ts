import { headers } from "next/headers";
import { connection } from "next/server";
import type { Health } from "@/server/bootstrap/health";
import { runtime } from "@/server/bootstrap/runtime";
import { originOf } from "@/server/rest/origin";

/** Returns the public URL of this service for absolute links, without a trailing slash. */
export async function siteOrigin(): Promise<string> {
  const asked = await headers();
  const { core } = await runtime();
  return originOf(core.env, asked.get("host") ?? undefined);
}

/** Returns the state of every part for a page. */
export async function pageHealth(): Promise<Health> {
  await connection();
  return (await runtime()).health();
}
