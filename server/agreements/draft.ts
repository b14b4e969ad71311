import { randomBytes } from "node:crypto";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { Context } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { HOUR_MS, SECOND_MS } from "@/server/lib/time";
import { toMicro } from "@/server/lib/usdc";
import { hashTerms, toTermsTypedData } from "./hash-terms";
import { listUnresponsive } from "./propose";
import type { Draft, DraftInput, Terms } from "./schema";
import { getQueueKey, validateTerms } from "./validate-terms";

/**
 * Returns the terms to sign, with a new nonce, and fetches the pages that they name, for verified wallets.
 * Throws the errors of `validateTerms` and `fetchNamedPages`.
 */
export async function draftTerms(
  ctx: Context,
  { fetchNamedPages }: RequirementDecider,
  agent: AuthenticatedAgent,
  { valueUsdc, startBy, deliverBy, delivery = "content", criteria = [], ...fields }: DraftInput,
): Promise<Draft> {
  const { db, chain } = ctx;
  const now = await readDatabaseTime(db);
  const deadline = toWholeSeconds(Date.parse(deliverBy));
  const halfWay = (now.getTime() + Date.parse(deadline)) / 2;
  const terms: Terms = {
    version: 2,
    chainId: chain.id,
    ...fields,
    valueMicro: String(toMicro(valueUsdc)),
    startBy: toWholeSeconds(
      startBy === undefined ? Math.min(now.getTime() + HOUR_MS, halfWay) : Date.parse(startBy),
    ),
    deliverBy: deadline,
    delivery,
    criteria,
    nonce: `0x${randomBytes(32).toString("hex")}`,
  };
  const queueKey = getQueueKey(ctx, agent);
  await validateTerms(ctx, terms, { now, path: [], queueKey });
  const fetching = { queueKey, isTrial: true };
  const pages = agent.walletVerified ? await fetchNamedPages(terms, fetching) : {};
  const termsHash = hashTerms(terms);
  const typedData = toTermsTypedData(chain.registryAddress, terms, termsHash);
  return { terms, termsHash, typedData, unresponsiveUrls: listUnresponsive(pages) };
}

function toWholeSeconds(time: number): string {
  const seconds = Math.floor(time / SECOND_MS);
  return new Date(seconds * SECOND_MS).toISOString().replace(".000Z", "Z");
}
