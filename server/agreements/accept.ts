import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { changeAgreement } from "./end";
import { toTermsTypedData } from "./hash-terms";
import { type AgreementRow, requireParty, toAgreement } from "./public-agreement";
import { requireOwnAgreement } from "./queries";
import type { AcceptInput, Agreement } from "./schema";
import { createEndedError, getStatus } from "./status";
import { requireSignature } from "./verify-signature";

/**
 * Adds the other party's signature. Accepting again changes nothing.
 *
 * Throws `not-found`, `forbidden`, `agreement-ended` and the errors of `requireSignature`.
 */
export async function acceptAgreement(
  ctx: Context,
  agent: AuthenticatedAgent,
  input: AcceptInput,
): Promise<Agreement> {
  const { db, chain } = ctx;
  const { row: found, now } = await requireOwnAgreement(db, agent, input.agreementId);
  const party = requireParty(found, agent.wallet);
  if (!canAccept(found, party, now)) return toAgreement(chain, found, now);
  const { terms, termsHash } = found;
  const typedData = toTermsTypedData(chain.registryAddress, terms, termsHash);
  const { signature } = input;
  const block = await requireSignature(chain, { wallet: agent.wallet, typedData, signature });
  const signed = { [`${party}Signature`]: signature, [`${party}Block`]: block };
  return changeAgreement(ctx, agent, found.id, (row, party, now) =>
    canAccept(row, party, now) ? { ...signed, status: "AGREED" } : null,
  );
}

/** Returns whether the party's signature is missing at `now`; false if it was given. Throws if it can't be. */
function canAccept(row: AgreementRow, party: Party, now: Date): boolean {
  const isProposed = getStatus(row, now) === "PROPOSED" && now < row.startBy;
  if (!isProposed && (row.agreedAt === null || row.status === "CANCELLED")) {
    throw createEndedError(row, now);
  }
  if (row.proposedBy === party) {
    const detail = `The ${party} proposed these terms and has signed them. The other party accepts.`;
    throw new AppError("forbidden", detail);
  }
  return isProposed;
}
