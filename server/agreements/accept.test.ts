import { eq } from "drizzle-orm";
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  pad,
  zeroHash,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { serializeErc6492Signature } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import OwnedWallet from "@/contracts/testing/OwnedWallet.json";
import WalletFactory from "@/contracts/testing/WalletFactory.json";
import { agents } from "@/server/agents/tables";
import { usedTransfers } from "@/server/chain/tables";
import { toChecksumAddress } from "@/server/lib/wallet";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  assembleBytecode,
  createFundedAccount,
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildTerms, insertAgreement, signTerms } from "@/server/testing/fixtures/agreement";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { startTestService, type TestService } from "@/server/testing/service";
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

  test.each<[string, (row: AgreementRow) => Promise<string>]>([
    ["of the proposer", (row) => sign(row, requester)],
    ["of a third wallet", (row) => sign(row, { account: relayer })],
    [
      "of other terms",
      (row) => signTerms(local.chain, contractor.account, { ...row.terms, valueMicro: "1" }),
    ],
    [
      "for another registry",
      (row) =>
        signTerms({ registryAddress: local.chain.usdcAddress }, contractor.account, row.terms),
    ],
    ["of no wallet", async () => `0x${"00".repeat(65)}`],
  ])("%s is refused", async (_, getSignature) => {
    const row = await proposeBy("requester");
    const body = await expectRefused(
      row,
      async () => accept(row, contractor, { signature: await getSignature(row) }),
      422,
      "signature-invalid",
    );
    expect(body.errors[0].pointer).toBe("#/signature");
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

  test("is needed, or a payment, and not both", async () => {
    const row = await proposeBy("contractor");
    await expectRefused(row, () => accept(row, requester, {}), 400, "invalid-request");
    const both = { signature: await sign(row, requester), paymentTxHash: zeroHash };
    await expectRefused(row, () => accept(row, requester, both), 400, "invalid-request");
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
  });

  test("accepts before it is deployed (ERC-6492), with the signature of its owner", async () => {
    const factory = await deploy(WalletFactory.bytecode as Hex);
    const owner = contractor;
    const wallet = getContractAddress({
      opcode: "CREATE2",
      from: factory,
      salt: zeroHash,
      bytecode: walletCode(owner.wallet),
    });
    contractor = { ...(await createWalletAgent(wallet)), account: owner.account };
    const row = await proposeBy("requester");
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({
        address: factory,
        data: encodeFunctionData({
          abi: WalletFactory.abi,
          functionName: "deploy",
          args: [owner.wallet],
        }),
        signature,
      });
    const wrong = wrap(await sign(row, requester));
    await expectRefused(
      row,
      () => accept(row, contractor, { signature: wrong }),
      422,
      "signature-invalid",
    );
    const signature = wrap(await sign(row, owner));
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
    const row = await proposeBy("contractor");
    const { transactionHash, status } = await pay(row, { from: wallet });
    expect(status).toBe("success");
    const { body } = await accept(row, requester, { paymentTxHash: transactionHash });
    expect(body).toMatchObject({ status: "AGREED", paymentTxHash: transactionHash });
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

const listTransfers = () => service.database.db.select().from(usedTransfers);

describe("a payment whose EIP-3009 nonce is the digest", () => {
  test("is the requester's signature", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await pay(row);
    // In upper case, as a client may send it.
    const paymentTxHash = `0x${transactionHash.slice(2).toUpperCase()}`;
    const { status, body } = await accept(row, requester, { paymentTxHash });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "AGREED",
      paymentTxHash: transactionHash,
      signatures: { requester: null, contractor: row.contractorSignature },
    });
    const { paymentTransferId } = await read(row);
    const transfer = (await listTransfers()).find(({ id }) => id === paymentTransferId);
    expect(transfer).toMatchObject({
      purpose: "payment",
      from: requester.wallet,
      to: contractor.wallet,
      amountMicro: row.valueMicro,
      txHash: transactionHash,
    });
  });

  test("named again, or several times at once, counts once", async () => {
    const row = await proposeBy("contractor");
    const paymentTxHash = (await pay(row)).transactionHash;
    const before = (await listTransfers()).length;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => accept(row, requester, { paymentTxHash })),
    );
    answers.push(await accept(row, requester, { paymentTxHash }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await listTransfers()).toHaveLength(before + 1);
  });

  test("may be larger than the value", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await pay(row, { amountMicro: row.valueMicro + 1n });
    expect((await accept(row, requester, { paymentTxHash: transactionHash })).status).toBe(200);
  });

  test("can be added by a requester that has signed", async () => {
    for (const signedFirst of ["requester", "contractor"] as const) {
      const row = await proposeBy(signedFirst, { payment: "upfront" });
      const other = signedFirst === "requester" ? contractor : requester;
      await accept(row, other, { signature: await sign(row, other) });
      const paymentTxHash = (await pay(row)).transactionHash;
      const first = await accept(row, requester, { paymentTxHash });
      expect(first).toMatchObject({ status: 200, body: { status: "AGREED", paymentTxHash } });
      expect(first.body.signatures.requester).not.toBeNull();
      expect((await accept(row, requester, { paymentTxHash })).body).toEqual(first.body);
      // The contractor can no longer leave alone.
      const left = await service.call("POST", `/agreements/${row.id}/cancel`, {
        key: contractor.apiKey,
        body: {},
      });
      expect(left.status).toBe(400);
    }
  });

  test("is added before the other party accepts only by accepting", async () => {
    const row = await proposeBy("requester");
    const paymentTxHash = (await pay(row)).transactionHash;
    await expectRefused(row, () => accept(row, requester, { paymentTxHash }), 403, "forbidden");
  });
});

describe("a payment is refused", () => {
  const expectInvalid = async (row: AgreementRow, paymentTxHash: Hex, detail: RegExp) => {
    const body = await expectRefused(
      row,
      () => accept(row, requester, { paymentTxHash }),
      422,
      "payment-invalid",
    );
    expect(body.detail).toMatch(detail);
  };

  test("if another wallet authorized it", async () => {
    const row = await proposeBy("contractor");
    const other = await service.agent();
    await fund(local, other.wallet);
    const { transactionHash } = await pay(row, {}, other);
    await expectInvalid(row, transactionHash, /moves no USDC/);
  });

  test("if its nonce is the digest of other terms, or any other", async () => {
    const row = await proposeBy("contractor");
    const other = await proposeBy("contractor");
    const { transactionHash } = await pay(row, { nonce: digestOf(other) });
    await expectInvalid(row, transactionHash, /authorization with the nonce/);
    const { transactionHash: random } = await pay(row, { nonce: pad("0x07") });
    await expectInvalid(row, random, /authorization with the nonce/);
  });

  test("if it is a plain transfer", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await payUsdc(
      local,
      requester.account,
      contractor.wallet,
      row.valueMicro,
    );
    await expectInvalid(row, transactionHash, /authorization with the nonce/);
  });

  test("if it is a millionth less than the value", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await pay(row, { amountMicro: row.valueMicro - 1n });
    await expectInvalid(row, transactionHash, /at least 5.00 USDC/);
  });

  test("if it goes to another wallet", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await pay(row, { to: relayer.address });
    await expectInvalid(row, transactionHash, /moves no USDC/);
  });

  test("if another contract emits the events", async () => {
    const row = await proposeBy("contractor");
    const used = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
    const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const data = assembleBytecode([
      { topics: [used, requester.wallet, digestOf(row)], data: "0x" },
      { topics: [transfer, requester.wallet, contractor.wallet], data: pad("0x4c4b40") },
    ]);
    const receipt = await sendDirectly(local.chain, relayer, { data, gas: 2_000_000n });
    expect(receipt.logs).toHaveLength(2);
    await expectInvalid(row, receipt.transactionHash, /moves no USDC/);
  });

  test("if it reverted", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash } = await pay(row, { amountMicro: 10n ** 15n });
    await expectInvalid(row, transactionHash, /reverted/);
  });

  test("if a reorg removed it", async () => {
    const row = await proposeBy("contractor");
    const snapshot = await local.node.snapshot();
    const { transactionHash: paymentTxHash } = await pay(row);
    await local.node.revert({ id: snapshot });
    await local.node.mine({ blocks: 3 });
    await expectRefused(
      row,
      () => accept(row, requester, { paymentTxHash }),
      409,
      "payment-not-ready",
    );
  });

  test("if it has counted for something else", async () => {
    const row = await proposeBy("contractor");
    const { transactionHash, blockNumber, blockHash } = await pay(row);
    await insertUsedTransfer(service.database.db, {
      chainId: local.chain.id,
      txHash: transactionHash,
      logIndex: 1,
      from: requester.wallet,
      to: contractor.wallet,
      amountMicro: row.valueMicro,
      blockNumber,
      blockHash,
    });
    const body = { paymentTxHash: transactionHash };
    await expectRefused(row, () => accept(row, requester, body), 409, "payment-used");
  });

  test("from the contractor", async () => {
    const row = await proposeBy("requester");
    const { transactionHash: paymentTxHash } = await pay(row);
    await expectRefused(row, () => accept(row, contractor, { paymentTxHash }), 403, "forbidden");
  });

  test("if the agreement has another one, or has ended", async () => {
    const row = await proposeBy("contractor");
    await accept(row, requester, { paymentTxHash: (await pay(row)).transactionHash });
    await expectRefused(
      row,
      () => accept(row, requester, { paymentTxHash: zeroHash }),
      409,
      "conflict",
    );
    for (const ended of [
      { startBy: new Date(Date.now() - 1) },
      { status: "DELIVERED", agreedAt: new Date(), endedAt: new Date() },
    ] as const) {
      const late = await proposeBy("contractor", {}, ended);
      const body = { paymentTxHash: (await pay(late)).transactionHash };
      await expectRefused(late, () => accept(late, requester, body), 409, "agreement-ended");
    }
  });
});

test("terms are agreed from the first request to the last over HTTP", async () => {
  const terms = buildTerms(local.chain, { requester, contractor });
  const proposed = await service.call("POST", "/agreements", {
    key: contractor.apiKey,
    body: { terms, signature: await signTerms(local.chain, contractor.account, terms) },
  });
  const { agreementId } = proposed.body;
  const path = `/agreements/${agreementId}`;
  const seen = await service.call("GET", path, { key: requester.apiKey });
  expect(seen.body).toEqual({
    ...proposed.body,
    requesterAsClient: expect.objectContaining({ summary: "No record as a client." }),
  });
  const signature = await requester.account.signTypedData(seen.body.typedData);
  await accept({ id: agreementId }, requester, { signature });
  const listed = await service.call("GET", "/agreements?status=AGREED&limit=1", {
    key: contractor.apiKey,
  });
  expect(listed.body.content).toMatchObject([{ agreementId, status: "AGREED" }]);
  const stranger = await service.agent({ proven: true });
  expect((await service.call("GET", path, { key: stranger.apiKey })).status).toBe(404);
  expect((await service.call("GET", path)).status).toBe(401);
});
