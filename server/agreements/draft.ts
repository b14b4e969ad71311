import { randomBytes } from "node:crypto";
import type { Context } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { SECOND_MS } from "@/server/lib/time";
import { toMicro } from "@/server/lib/usdc";
import { hashTerms, toTermsTypedData } from "./hash-terms";
import type { Draft, DraftInput, Terms } from "./schema";
import { validateTerms } from "./validate-terms";

/** Returns the terms to sign, with a new nonce. Throws the errors of `validateTerms`. */
export async function draftTerms(
  { db, chain, env }: Pick<Context, "db" | "chain" | "env">,
  { valueUsdc, deliverBy, criteria = [], ...fields }: DraftInput,
): Promise<Draft> {
  const terms: Terms = {
    version: 1,
    chainId: chain.id,
    ...fields,
    valueMicro: String(toMicro(valueUsdc)),
    deliverBy: toWholeSeconds(deliverBy),
    criteria,
    nonce: `0x${randomBytes(32).toString("hex")}`,
  };
  validateTerms({ chain, env }, terms, { now: await readDatabaseTime(db), path: [] });
  const termsHash = hashTerms(terms);
  return { terms, termsHash, typedData: toTermsTypedData(chain.registryAddress, terms, termsHash) };
}

function toWholeSeconds(time: string): string {
  const seconds = Math.floor(Date.parse(time) / SECOND_MS);
  return new Date(seconds * SECOND_MS).toISOString().replace(".000Z", "Z");
}
