import { toTermsTypedData } from "./hash-terms";
import type { Agreement, ClientRecord, Terms } from "./schema";

const CONTRACTOR = "0x52908400098527886E0F7030069857D2E4169EE7";
const REQUESTER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const TERMS_HASH = "0xf61c56ff99b2593db51a1deb7438104b01dcd228cb90014d88b49119669ec6d1";

export const SIGNATURE_EXAMPLE = `0x${"1b".repeat(65)}`;

export const TERMS_EXAMPLE: Terms = {
  version: 2,
  chainId: 8453,
  requester: REQUESTER,
  contractor: CONTRACTOR,
  task: "Summarise the attached incident report in at most 200 words, with a section on the cause.",
  category: "ops",
  valueMicro: "12500000",
  payment: "upfront",
  startBy: "2026-11-24T10:00:00Z",
  deliverBy: "2026-12-01T12:00:00Z",
  delivery: "content",
  requirements: [
    { check: "word-count", max: 200 },
    { check: "sections", titles: ["Cause"] },
  ],
  criteria: [],
  nonce: "0x2f5e8c1b7a6d4093e8f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7",
};

export const AGREEMENT_EXAMPLE: Agreement = {
  agreementId: "0197a3f2-6d1c-7c55-8e0d-5a8f3c2b1e70",
  status: "AGREED",
  proposedBy: "requester",
  terms: TERMS_EXAMPLE,
  termsHash: TERMS_HASH,
  typedData: toTermsTypedData(
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    TERMS_EXAMPLE,
    TERMS_HASH,
  ),
  signatures: { requester: SIGNATURE_EXAMPLE, contractor: SIGNATURE_EXAMPLE },
  paymentTxHash: null,
  refundTxHash: null,
  requirements: ["At most 200 words", "Has a section with an agreed title"],
  unresponsiveUrls: [],
  checkPassedAt: null,
  proposedAt: "2026-11-24T09:00:00.000Z",
  agreedAt: "2026-11-24T09:05:00.000Z",
  paidAt: null,
  endedAt: null,
  settledAt: null,
  deliveryPaymentTxHash: null,
  cancellationRequestedBy: null,
  outcomeId: null,
};

export const CLIENT_RECORD_EXAMPLE: ClientRecord = {
  summary: "As a client: 12 of 14 jobs paid (540.00 USDC), none left unpaid, 0 disputes lost.",
  ordered: 14,
  paid: 12,
  paidUsdc: 540,
  leftUnpaid: 0,
  leftUnpaidUsdc: 0,
  disputesLost: 0,
  expired: 0,
  refunded: 1,
};
