import { eq } from "drizzle-orm";
import { encodeDeployData, type Hex, type LocalAccount, pad } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import OwnedWallet from "@/contracts/testing/OwnedWallet.json";
import { agents } from "@/server/agents/tables";
import { toChecksumAddress } from "@/server/lib/wallet";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  createFundedAccount,
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement, signCancellation, signTerms } from "@/server/testing/fixtures/agreement";
import { startTestService, type TestService } from "@/server/testing/service";
import { findTransfers } from "./find-transfers";
import { hashAgreement } from "./hash-terms";
import type { AgreementRow } from "./public-agreement";
import type { Terms } from "./schema";
import { agreements } from "./tables";

let service: TestService;
let local: LocalPayments;
let relayer: PrivateKeyAccount;
beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
  relayer = await createFundedAccount(local);
});
afterAll(() => service.close());

let requester: TestAgent;
let contractor: TestAgent;
beforeEach(async () => {
  [requester, contractor] = await Promise.all([
    service.agent({ proven: true }),
    service.agent({ proven: true }),
  ]);
  await fund(local, requester.wallet);
});

const UPFRONT = { payment: "upfront" } as const;

const PROPOSAL = {
  requester: { proposedBy: "requester", contractorSignature: null },
  contractor: { proposedBy: "contractor", requesterSignature: null },
} as const;

/** Stores a proposal; a value of five USDC unless the terms differ. */
const proposeBy = (
  proposer: "requester" | "contractor",
  changes: Partial<Terms> = {},
  row: Partial<typeof agreements.$inferInsert> = {},
) =>
  insertAgreement(service.runtime.core, { requester, contractor }, changes, {
    status: "PROPOSED",
    agreedAt: null,
    ...PROPOSAL[proposer],
    ...row,
  });

const accept = ({ id }: { id: string }, by: TestAgent, body: object) =>
  service.call("POST", `/agreements/${id}/accept`, { key: by.apiKey, body });

const sign = (row: AgreementRow, by: { account: LocalAccount }) =>
  signTerms(local.chain, by.account, row.terms);

const read = async ({ id }: { id: string }) => {
  const [row] = await service.database.db.select().from(agreements).where(eq(agreements.id, id));
  return row ?? expect.fail();
};

/** Expects that a request is refused and changes nothing. */
async function expectRefused(
  row: AgreementRow,
  request: () => ReturnType<typeof accept>,
  status: number,
  code: string,
) {
  const before = await read(row);
  const { body } = await request();
  expect([body.status, body.code]).toEqual([status, code]);
  expect(body.detail).not.toBe("");
  expect(await read(row)).toEqual(before);
  return body;
}

describe("a signature", () => {
  test("of the other party makes the proposal an agreement", async () => {
    const row = await proposeBy("requester");
    const signature = await sign(row, contractor);
    const { status, body } = await accept(row, contractor, { signature });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      agreementId: row.id,
      status: "AGREED",
      agreedAt: expect.any(String),
      signatures: { requester: row.requesterSignature, contractor: signature },
      paymentTxHash: null,
      endedAt: null,
    });
  });

  test("given again returns the same agreement", async () => {
    const row = await proposeBy("contractor");
    const signature = await sign(row, requester);
    const first = await accept(row, requester, { signature });
    const second = await accept(row, requester, { signature });
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test("given twice at once takes effect once, and both requests get the agreement", async () => {
    const row = await proposeBy("requester");
    const signature = await sign(row, contractor);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => accept(row, contractor, { signature })),
    );
    const { agreedAt } = await read(row);
    for (const { status, body } of answers) {
      expect([status, body.status, body.agreedAt]).toEqual([
        200,
        "AGREED",
        agreedAt?.toISOString(),
      ]);
    }
  });

  test("is refused from the proposer and from a third agent", async () => {
    const row = await proposeBy("requester");
    const signature = await sign(row, requester);
    await expectRefused(row, () => accept(row, requester, { signature }), 403, "forbidden");
    const stranger = await service.agent({ proven: true });
    const valid = await sign(row, contractor);
    await expectRefused(row, () => accept(row, stranger, { signature: valid }), 404, "not-found");
  });

  test("is refused after the time to accept, and after the end", async () => {
    for (const ended of [
      { startBy: new Date(Date.now() - 1) },
      { status: "DECLINED", endedAt: new Date() },
      { status: "CANCELLED", endedAt: new Date() },
      // By both, after they had agreed.
      { status: "CANCELLED", agreedAt: new Date(), endedAt: new Date() },
    ] as const) {
      const row = await proposeBy("requester", {}, ended);
      const signature = await sign(row, contractor);
      await expectRefused(
        row,
        () => accept(row, contractor, { signature }),
        409,
        "agreement-ended",
      );
    }
  });

  test("is needed, and no payment can be named", async () => {
    const row = await proposeBy("contractor", UPFRONT);
    await expectRefused(row, () => accept(row, requester, {}), 400, "invalid-request");
    const paymentTxHash = (await pay(row)).transactionHash;
    const signature = await sign(row, requester);
    for (const body of [{ paymentTxHash }, { paymentTxHash, signature }]) {
      await expectRefused(row, () => accept(row, requester, body), 400, "invalid-request");
    }
  });
});

/** Makes `wallet` the verified wallet of a new agent, whose owner signs. */
async function createWalletAgent(wallet: Hex): Promise<TestAgent> {
  const owner = await service.agent({ proven: true });
  await service.database.db.update(agents).set({ wallet }).where(eq(agents.id, owner.id));
  return { ...owner, wallet };
}

const walletCode = (owner: Hex) =>
  encodeDeployData({ ...OwnedWallet, args: [owner] } as Parameters<typeof encodeDeployData>[0]);

async function deploy(data: Hex): Promise<Hex> {
  const { contractAddress } = await sendDirectly(local.chain, relayer, { data, gas: 2_000_000n });
  return toChecksumAddress(contractAddress ?? expect.fail());
}

describe("a contract wallet", () => {
  test("accepts with the signature of its owner (ERC-1271), and with no other", async () => {
    const wallet = await deploy(walletCode(contractor.wallet));
    const owner = contractor;
    contractor = { ...(await createWalletAgent(wallet)), account: owner.account };
    const row = await proposeBy("requester");
    const wrong = await sign(row, requester);
    await expectRefused(
      row,
      () => accept(row, contractor, { signature: wrong }),
      422,
      "signature-invalid",
    );
    const signature = await sign(row, owner);
    expect((await accept(row, contractor, { signature })).body.status).toBe("AGREED");
    expect(await read(row)).toMatchObject({
      contractorBlock: expect.any(Number),
      requesterBlock: null,
    });
  });

  test("signs by paying, with an authorization that its owner signed", async () => {
    const wallet = await deploy(walletCode(requester.wallet));
    await fund(local, wallet);
    const owner = requester;
    requester = { ...(await createWalletAgent(wallet)), account: owner.account };
    const row = await proposeBy("contractor", UPFRONT);
    const { transactionHash, status } = await pay(row, { from: wallet });
    expect(status).toBe("success");
    await findTransfers(service.runtime.core);
    expect(await show(row)).toMatchObject({ status: "AGREED", paymentTxHash: transactionHash });
  });
});

const digestOf = ({ terms, termsHash }: AgreementRow) =>
  hashAgreement(local.chain.registryAddress, terms, termsHash);

/** Pays under the agreement: an EIP-3009 transfer that the requester signs and another account sends. */
async function pay(
  row: AgreementRow,
  changes: Partial<Parameters<typeof authorizeTransfer>[2]> = {},
  signer = requester,
) {
  const authorization = {
    to: row.contractor as Hex,
    amountMicro: row.valueMicro,
    nonce: digestOf(row),
    ...changes,
  };
  return sendDirectly(
    local.chain,
    relayer,
    await authorizeTransfer(local, signer.account, authorization),
  );
}

/** Returns the contractor's money: an EIP-3009 transfer back with the same nonce. */
const refund = (row: AgreementRow, changes: Parameters<typeof pay>[1] = {}) =>
  pay(row, { to: row.requester as Hex, ...changes }, contractor);

const show = async ({ id }: { id: string }) =>
  (await service.call("GET", `/agreements/${id}`, { key: contractor.apiKey })).body;

const submit = (by: TestAgent, body: object) =>
  service.call("POST", "/outcome", { key: by.apiKey, body });

const cancel = async (row: AgreementRow, by: TestAgent, isSigned = true) =>
  service.call("POST", `/agreements/${row.id}/cancel`, {
    key: by.apiKey,
    body: isSigned ? { signature: await signCancellation(local.chain, by.account, row) } : {},
  });

const refusal = ({ status, body }: Awaited<ReturnType<typeof accept>>) => [status, body.code];

/** An agreement on upfront terms that both have signed. */
const agreeUpfront = (row: Partial<typeof agreements.$inferInsert> = {}) =>
  insertAgreement(service.runtime.core, { requester, contractor }, UPFRONT, row);

const WORK = { deliverableContent: "The Rhine, the Loire and the Vistula." };
const past = () => new Date(Date.now() - 120_000);
/** Ends the time to deliver, and to report it. */
const endTime = ({ id }: AgreementRow) =>
  service.database.db.update(agreements).set({ deliverBy: past() }).where(eq(agreements.id, id));

describe("the payment of upfront terms", () => {
  test("signs for a requester that has not signed, and lets the contractor deliver at once", async () => {
    const row = await proposeBy("contractor", UPFRONT);
    const { transactionHash, blockNumber } = await pay(row);
    const { timestamp } = await local.chain.client.getBlock({ blockNumber });
    const { status, body } = await submit(contractor, { agreementId: row.id, ...WORK });
    expect(status).toBe(202);
    expect(await show(row)).toMatchObject({
      status: "DELIVERED",
      outcomeId: body.outcomeId,
      paymentTxHash: transactionHash,
      paidAt: new Date(Number(timestamp) * 1000).toISOString(),
      signatures: { requester: null, contractor: row.contractorSignature },
    });
    const outcome = await service.call("GET", `/outcome/${body.outcomeId}`);
    expect(outcome.body).toMatchObject({ paidUsdc: 5, paymentTxHash: transactionHash });
  });

  test("made before the contractor signs counts once it has signed", async () => {
    const row = await proposeBy("requester", UPFRONT);
    await pay(row);
    await findTransfers(service.runtime.core);
    expect(await show(row)).toMatchObject({ status: "PROPOSED", paidAt: expect.any(String) });
    await accept(row, contractor, { signature: await sign(row, contractor) });
    expect((await submit(contractor, { agreementId: row.id, ...WORK })).status).toBe(202);
  });

  test("is needed for a delivery, and for a report that nothing was delivered", async () => {
    const row = await agreeUpfront();
    const early = await submit(contractor, { agreementId: row.id, ...WORK });
    expect(refusal(early)).toEqual([409, "not-paid"]);
    expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(0);
    await endTime(row);
    const report = await submit(requester, { agreementId: row.id });
    expect(refusal(report)).toEqual([409, "not-paid"]);
    // A plain transfer, and one whose nonce is another: other purchases count for no agreement.
    await payUsdc(local, requester.account, contractor.wallet, row.valueMicro);
    await pay(row, { nonce: pad("0x07") });
    expect(refusal(await submit(requester, { agreementId: row.id }))).toEqual([409, "not-paid"]);
    expect(await read(row)).toMatchObject({ status: "AGREED", outcomeId: null });
  });

  test("after `startBy` makes no failure: the agreement has expired", async () => {
    const row = await agreeUpfront({ startBy: past() });
    await pay(row);
    await findTransfers(service.runtime.core);
    expect(await show(row)).toMatchObject({ status: "EXPIRED", paidAt: null });
    await endTime(row);
    const report = await submit(requester, { agreementId: row.id });
    expect(refusal(report)).toEqual([409, "agreement-ended"]);
  });

  test("counts for nothing else, whichever party names it", async () => {
    const row = await agreeUpfront();
    const paymentTxHash = (await pay(row)).transactionHash;
    const other = {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: "Another task",
      taskCategory: "ops",
      valueUsdc: 3,
      paymentTxHash,
      ...WORK,
    };
    for (const by of [contractor, requester]) {
      expect(refusal(await submit(by, other))).toEqual([409, "payment-used"]);
    }
    await findTransfers(service.runtime.core);
    expect(await show(row)).toMatchObject({ paymentTxHash });
  });
});

describe("a paid agreement", () => {
  test("is not cancelled: neither by the contractor alone, nor with an old signature of the requester", async () => {
    const row = await agreeUpfront();
    expect((await cancel(row, requester)).body.cancellationRequestedBy).toBe("requester");
    // Nothing else has looked for the payment yet.
    await pay(row);
    for (const isSigned of [false, true]) {
      const cancelled = await cancel(row, contractor, isSigned);
      expect(refusal(cancelled)).toEqual([409, "conflict"]);
      expect(cancelled.body.detail).toContain("only the contractor's refund ends it");
    }
    expect(await show(row)).toMatchObject({ status: "AGREED" });
  });

  test("whose payment the contractor held back until both had cancelled is in force", async () => {
    for (const row of [await agreeUpfront(), await proposeBy("contractor", UPFRONT)]) {
      if (row.agreedAt) await cancel(row, requester);
      expect((await cancel(row, contractor, row.agreedAt !== null)).body.status).toBe("CANCELLED");
      await pay(row);
      await findTransfers(service.runtime.core);
      expect(await show(row)).toMatchObject({ status: "AGREED", endedAt: null });
      await endTime(row);
      expect((await submit(requester, { agreementId: row.id })).status).toBe(202);
    }
  });

  test("ends by the refund, also if it is found only when the requester reports", async () => {
    const row = await agreeUpfront();
    await pay(row);
    await findTransfers(service.runtime.core);
    await endTime(row);
    const { transactionHash: refundTxHash } = await refund(row);
    const report = await submit(requester, { agreementId: row.id });
    expect(refusal(report)).toEqual([409, "agreement-ended"]);
    expect(await show(row)).toMatchObject({ status: "CANCELLED", refundTxHash, outcomeId: null });
  });

  test("with an outcome is refunded by its own nonce alone", async () => {
    const [row, other] = [await agreeUpfront(), await agreeUpfront()];
    await pay(row);
    await pay(other);
    const { body } = await submit(contractor, { agreementId: row.id, ...WORK });
    await service.waitForResolved(body.outcomeId);
    const refundBy = (refundTxHash: Hex) =>
      service.call("POST", `/outcome/${body.outcomeId}/refund`, {
        key: contractor.apiKey,
        body: { refundTxHash },
      });
    const { account, wallet } = { ...requester, account: contractor.account };
    await fund(local, account.address);
    const plain = await payUsdc(local, account, wallet, row.valueMicro);
    for (const transfer of [plain, await refund(other)]) {
      expect(refusal(await refundBy(transfer.transactionHash))).toEqual([422, "payment-invalid"]);
    }
    const { status } = await refundBy((await refund(row)).transactionHash);
    expect(status).toBe(200);
  });

  test("keeps its refund: the requester can't name it as a payment for work of its own", async () => {
    const row = await agreeUpfront();
    await pay(row);
    await findTransfers(service.runtime.core);
    const { transactionHash: paymentTxHash } = await refund(row);
    const named = await submit(requester, {
      contractorAgentAddress: requester.wallet,
      requesterAgentAddress: contractor.wallet,
      taskDescription: "Another task",
      taskCategory: "ops",
      valueUsdc: 5,
      paymentTxHash,
      ...WORK,
    });
    expect(refusal(named)).toEqual([409, "payment-used"]);
    await findTransfers(service.runtime.core);
    expect(await show(row)).toMatchObject({ status: "CANCELLED" });
  });
});
