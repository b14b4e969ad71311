import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { UsdcTransfer } from "@/server/chain/payments/payment";
import { requirePayment, requireUnusedTransfer } from "@/server/chain/payments/require-payment";
import type { Context } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { agreementAgreed, createAgreementEvent } from "./events";
import { hashAgreement, toTermsTypedData } from "./hash-terms";
import { type AgreementRow, requireParty, toAgreement } from "./public-agreement";
import { findAgreements, lockAgreement, requireOwnAgreement } from "./queries";
import type { AcceptInput, Agreement } from "./schema";
import { createEndedError, getStatus } from "./status";
import { agreements } from "./tables";
import { requireSignature } from "./verify-signature";

/** A signature, or the transfers of the payment that stands for it. Verified. */
type Consent =
  | { signature: string; block: number | null; transfers?: undefined }
  | { signature?: undefined; block?: undefined; transfers: UsdcTransfer[] };

/**
 * Adds the other party's signature, or the requester's payment that stands for it. A requester that has
 * signed can add its payment the same way. Accepting again changes nothing.
 *
 * Throws `not-found`, `forbidden`, `agreement-ended`, `conflict` and the errors of `requireSignature`,
 * `requirePayment` and `requireUnusedTransfer`.
 */
export async function acceptAgreement(
  ctx: Context,
  agent: AuthenticatedAgent,
  input: AcceptInput,
): Promise<Agreement> {
  const { db, chain, publish } = ctx;
  const { row: found, now } = await requireOwnAgreement(db, agent, input.agreementId);
  const party = requireParty(found, agent.wallet);
  if (decideStep(found, { party, input, now }) === "none") return toAgreement(chain, found, now);
  const consent = await verifyConsent(ctx, found, agent.wallet, input);

  return db.transaction(async (tx) => {
    const { row: locked, now } = await lockAgreement(tx, agent, found.id);
    const step = decideStep(locked, { party, input, now });
    if (step === "none") return toAgreement(chain, locked, now);
    const payment =
      consent.transfers && (await requireUnusedTransfer(tx, chain, consent.transfers, "payment"));
    await tx
      .update(agreements)
      .set({
        ...(payment
          ? { paymentTransferId: payment.id }
          : { [`${party}Signature`]: consent.signature, [`${party}Block`]: consent.block }),
        ...(step === "accept" ? { status: "AGREED", agreedAt: databaseNow } : {}),
      })
      .where(eq(agreements.id, found.id));
    if (step === "accept") {
      await publish(tx, [createAgreementEvent(agreementAgreed, found.id)]);
    }
    const [accepted = locked] = await findAgreements(tx, [found.id]);
    return toAgreement(chain, accepted, now);
  });
}

/** Returns what the request adds to the agreement at `now`. Throws if it can't add anything. */
function decideStep(
  row: AgreementRow,
  { party, input, now }: { party: Party; input: AcceptInput; now: Date },
): "accept" | "attach-payment" | "none" {
  const status = getStatus(row, now);
  const isProposed = status === "PROPOSED";
  if (!isProposed && row.agreedAt === null) throw createEndedError(row, now);
  if (input.paymentTxHash !== undefined) {
    if (party !== "requester") {
      throw new AppError("forbidden", "Only the requester can accept by a payment.");
    }
    if (row.paymentTxHash === input.paymentTxHash) return "none";
    if (row.paymentTxHash !== null) {
      const detail = `The agreement has been paid by transaction ${row.paymentTxHash}.`;
      throw new AppError("conflict", detail);
    }
    if (status === "AGREED") return "attach-payment";
    if (!isProposed) throw createEndedError(row, now);
  }
  if (row.proposedBy === party) {
    const detail = `The ${party} proposed these terms and has signed them. The other party accepts.`;
    throw new AppError("forbidden", detail);
  }
  if (isProposed) return "accept";
  if (status === "CANCELLED") throw createEndedError(row, now);
  return "none";
}

async function verifyConsent(
  ctx: Context,
  row: AgreementRow,
  wallet: string,
  { signature, paymentTxHash }: AcceptInput,
): Promise<Consent> {
  const { registryAddress } = ctx.chain;
  const { terms, termsHash } = row;
  if (signature !== undefined) {
    const typedData = toTermsTypedData(registryAddress, terms, termsHash);
    const block = await requireSignature(ctx.chain, { wallet, typedData, signature });
    return { signature, block };
  }
  const transfers = await requirePayment(ctx, {
    txHash: paymentTxHash as Hex,
    from: row.requester,
    to: row.contractor,
    minMicro: row.valueMicro,
    authorizationNonce: hashAgreement(registryAddress, terms, termsHash),
  });
  return { transfers };
}
