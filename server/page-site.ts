import { headers } from "next/headers";
import { connection } from "next/server";
import type { Health } from "./health";
import { originOf } from "./rest/origin";
import { runtime } from "./runtime";

/** Where this service is reached, for links that leave it, without a trailing slash. */
export async function siteOrigin(): Promise<string> {
  const asked = await headers();
  const { core } = await runtime();
  return originOf(core.env, asked.get("host") ?? undefined);
}

/** The state of every part, as a page shows it. */
export async function pageHealth(): Promise<Health> {
  await connection();
  return (await runtime()).health();
}
