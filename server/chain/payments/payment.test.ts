import { encodeDeployData, getContractAddress, type Hex, numberToHex, pad } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import usdc from "@/contracts/TestUsdc.json";
import { openChain } from "@/server/chain/client";
import { usedTransfers } from "@/server/chain/tables";
import { openDatabase } from "@/server/db/client";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import { sendDirectly, startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { type FaultyNode, startFaultyNode } from "@/server/testing/chain/faulty-node";
import {
  assembleBytecode,
  createFundedAccount,
  encodeUsdcCall,
  fund,
  payUsdc,
} from "@/server/testing/chain/payments";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { checkPayment, claimTransfer, getTransferStatus, type PaymentTerms } from "./payment";
import type { UsdcTransfer } from "./transfers";

const CONFIRMATIONS = 3;
const STAKE = 500_000n;

let local: TestChain;
let database: TestDatabase;
let payer: PrivateKeyAccount;
let snapshot: Hex;
const payee = privateKeyToAccount(generatePrivateKey()).address;
beforeAll(async () => {
  [local, database] = await Promise.all([
    startTestChain({ confirmations: CONFIRMATIONS }),
    createTestDatabase(),
  ]);
  payer = await createFundedAccount(local);
});
afterAll(async () => {
  await local.close();
  await database.close();
});
beforeEach(async () => {
  snapshot = await local.node.snapshot();
});
afterEach(async () => {
  await local.node.revert({ id: snapshot });
  await deleteAllRows(database);
});

const deepen = (blocks = CONFIRMATIONS - 1) => local.node.mine({ blocks });

const check = (txHash: string, terms: Partial<PaymentTerms> = {}) =>
  checkPayment(local.chain, {
    txHash,
    from: payer.address,
    to: payee,
    minMicro: STAKE,
    ...terms,
  });

/** Returns the amounts found, else the state. */
async function outcomeOf(txHash: string, terms: Partial<PaymentTerms> = {}) {
  const found = await check(txHash, terms);
  return found.state === "found"
    ? found.transfers.map(({ amountMicro }) => amountMicro)
    : found.state;
}

async function paid(amountMicro = STAKE, to: Hex = payee, from = payer) {
  const receipt = await payUsdc(local, from, to, amountMicro);
  await deepen();
  return receipt;
}

/** Runs `code` as the constructor of a contract whose address is known beforehand. */
async function construct(from: PrivateKeyAccount, code: (self: Hex) => Hex) {
  const nonce = await local.chain.client.getTransactionCount(from);
  const self = getContractAddress({ from: from.address, nonce: BigInt(nonce) });
  await fund(local, self);
  const receipt = await sendDirectly(local.chain, from, { data: code(self), gas: 2_000_000n });
  await deepen();
  return { self, receipt };
}

const NONCE = pad("0x01");
/** keccak256("AuthorizationUsed(address,bytes32)") */
const AUTHORIZATION_TOPIC = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";

/** Sends the payer's authorized transfer of the stake to the payee from another account. */
async function relay(
  relayer: PrivateKeyAccount,
  { nonce, amountMicro = STAKE }: { nonce: Hex; amountMicro?: bigint },
) {
  const call = await authorizeTransfer(local, payer, { to: payee, amountMicro, nonce });
  const receipt = await sendDirectly(local.chain, relayer, call);
  await deepen();
  return receipt;
}

/** Runs `steps` in one transaction; `pay` moves the payer's USDC by an allowance. */
async function payWithAllowance(
  getSteps: (
    pay: (to: Hex, amountMicro: bigint) => { to: Hex; data: Hex },
  ) => Parameters<typeof assembleBytecode>[0],
) {
  const sender = await createFundedAccount(local);
  const nonce = await local.chain.client.getTransactionCount(sender);
  const spender = getContractAddress({ from: sender.address, nonce: BigInt(nonce) });
  await sendDirectly(local.chain, payer, encodeUsdcCall(local, "approve", [spender, STAKE]));
  const steps = getSteps((to, amountMicro) =>
    encodeUsdcCall(local, "transferFrom", [payer.address, to, amountMicro]),
  );
  const data = assembleBytecode(steps);
  const receipt = await sendDirectly(local.chain, sender, { data, gas: 2_000_000n });
  await deepen();
  return receipt;
}

const transferCall = (to: Hex, amountMicro: bigint) =>
  encodeUsdcCall(local, "transfer", [to, amountMicro]);

/** Code that only emits a transfer event. */
const logOf = (from: Hex, to: Hex, amountMicro: bigint) =>
  assembleBytecode([
    { topics: [TRANSFER_TOPIC, from, to], data: numberToHex(amountMicro, { size: 32 }) },
  ]);

const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

describe("a payment", () => {
  test("is found with its transfer log", async () => {
    const receipt = await paid(750_001n);
    expect(await check(receipt.transactionHash)).toEqual({
      state: "found",
      transfers: [
        {
          txHash: receipt.transactionHash,
          logIndex: 0,
          from: payer.address,
          to: payee,
          amountMicro: 750_001n,
          blockNumber: receipt.blockNumber,
          blockHash: receipt.blockHash,
        },
      ],
    });
  });

  test("is found by its hash in upper case, and returned with the hash of the receipt", async () => {
    const { transactionHash } = await paid();
    const upperCase = `0x${transactionHash.slice(2).toUpperCase()}`;
    expect(await check(upperCase)).toEqual(await check(transactionHash));
    expect(await check(upperCase)).toMatchObject({ transfers: [{ txHash: transactionHash }] });
  });

  test.each([
    ["exactly the minimum", 500_000n, [500_000n]],
    ["one millionth less than the minimum", 499_999n, "too-little"],
    ["zero", 0n, "too-little"],
  ])("of %s", async (_, amountMicro, expected) => {
    const { transactionHash } = await paid(amountMicro);
    expect(await outcomeOf(transactionHash)).toEqual(expected);
  });

  test("of zero proves nothing, even if the minimum is zero", async () => {
    const [nothing, something] = [await paid(0n), await paid(1n)];
    expect(await outcomeOf(nothing.transactionHash, { minMicro: 0n })).toBe("too-little");
    expect(await outcomeOf(something.transactionHash, { minMicro: 0n })).toEqual([1n]);
  });

  test("is never the sum of several small transfers", async () => {
    const { self, receipt } = await construct(payer, () =>
      assembleBytecode([transferCall(payee, 300_000n), transferCall(payee, 300_000n)]),
    );
    expect(await outcomeOf(receipt.transactionHash, { from: self })).toBe("too-little");
  });

  test("larger than the ledger can hold exactly is refused", async () => {
    const [most, more] = [2n ** 53n - 1n, 2n ** 53n];
    await sendDirectly(
      local.chain,
      payer,
      encodeUsdcCall(local, "mint", [payer.address, 2n ** 60n]),
    );
    expect(await outcomeOf((await paid(more)).transactionHash)).toBe("too-much");
    expect(await outcomeOf((await paid(most)).transactionHash)).toEqual([most]);
  });

  test("by another payer or to another recipient does not count", async () => {
    const other = await createFundedAccount(local);
    const byOther = await paid(STAKE, payee, other);
    const toOther = await paid(STAKE, other.address);
    expect(await outcomeOf(byOther.transactionHash)).toBe("no-transfer");
    expect(await outcomeOf(toOther.transactionHash)).toBe("no-transfer");
    // Nor is one in the other direction.
    expect(await outcomeOf(byOther.transactionHash, { from: payee, to: other.address })).toBe(
      "no-transfer",
    );
  });

  test("in another token is not found, whatever the token's name", async () => {
    const { receipt: deployed } = await construct(payer, () =>
      encodeDeployData({ abi: usdc.abi, bytecode: usdc.bytecode as Hex }),
    );
    const fake = deployed.contractAddress as Hex;
    const calls = [
      encodeUsdcCall(local, "mint", [payer.address, STAKE]),
      encodeUsdcCall(local, "transfer", [payee, STAKE]),
    ];
    const receipts = [];
    for (const { data } of calls)
      receipts.push(await sendDirectly(local.chain, payer, { to: fake, data }));
    await deepen();
    const { transactionHash, logs } = receipts[1] ?? expect.fail();
    expect(logs[0]?.topics).toHaveLength(3);
    expect(await outcomeOf(transactionHash)).toBe("no-transfer");
  });

  test("does not count if another contract emits its log, even next to a real transfer", async () => {
    const topics = [TRANSFER_TOPIC, payer.address, payee] as Hex[];
    const fake = { topics, data: pad("0x07a120") };
    const alone = await construct(payer, () => assembleBytecode([fake]));
    expect(alone.receipt.logs).toMatchObject([
      { topics: topics.map((topic) => pad(topic).toLowerCase()) },
    ]);
    expect(await outcomeOf(alone.receipt.transactionHash)).toBe("no-transfer");
    const both = await construct(payer, () =>
      assembleBytecode([fake, transferCall(payee, 600_000n)]),
    );
    expect(await check(both.receipt.transactionHash, { from: both.self })).toMatchObject({
      transfers: [{ logIndex: 1, amountMicro: 600_000n }],
    });
    expect(await outcomeOf(both.receipt.transactionHash)).toBe("no-transfer");
  });

  test.each<[string, Hex[], Hex, unknown]>([
    ["with the three topics of a transfer", [], pad("0x07a120"), [500_000n]],
    ["with a fourth topic", [pad("0x01")], pad("0x07a120"), "no-transfer"],
    ["whose amount is shorter than a word", [], "0x07a120", "no-transfer"],
  ])("log of the USDC address %s", async (_, more, data, expected) => {
    const topics = [TRANSFER_TOPIC, payer.address, payee, ...more] as Hex[];
    const bytecode = assembleBytecode([{ topics, data }]);
    await local.node.setCode({ address: local.chain.usdcAddress, bytecode });
    const { transactionHash } = await paid();
    expect(await outcomeOf(transactionHash)).toEqual(expected);
  });

  test("does not count if an address in its log has non-zero padding", async () => {
    const padded = pad(payer.address).replace("0x00", "0x01") as Hex;
    const bytecode = assembleBytecode([
      { topics: [TRANSFER_TOPIC, padded, payee], data: pad("0x07a120") },
    ]);
    await local.node.setCode({ address: local.chain.usdcAddress, bytecode });
    expect(await outcomeOf((await paid()).transactionHash)).toBe("no-transfer");
  });

  test("does not count if it is only an approval", async () => {
    const approval = encodeUsdcCall(local, "approve", [payee, STAKE]);
    const { transactionHash, logs } = await sendDirectly(local.chain, payer, approval);
    await deepen();
    expect(logs[0]?.topics).toHaveLength(3);
    expect(await outcomeOf(transactionHash)).toBe("no-transfer");
  });

  test("does not count if its transaction reverted", async () => {
    const { status, transactionHash } = await paid(10n ** 15n);
    expect(status).toBe("reverted");
    expect(await outcomeOf(transactionHash)).toBe("reverted");
  });

  test("by a contract wallet counts for the contract, not for the sender of the transaction", async () => {
    const { self, receipt } = await construct(payer, () =>
      assembleBytecode([transferCall(payee, STAKE)]),
    );
    expect(await outcomeOf(receipt.transactionHash, { from: self })).toEqual([STAKE]);
    expect(await outcomeOf(receipt.transactionHash)).toBe("no-transfer");
  });

  test("that a relayer sends counts for its signer", async () => {
    const relayer = await createFundedAccount(local);
    const receipt = await relay(relayer, { nonce: NONCE });
    expect(receipt.from).toBe(relayer.address.toLowerCase());
    expect(await outcomeOf(receipt.transactionHash)).toEqual([STAKE]);
    expect(await outcomeOf(receipt.transactionHash, { from: relayer.address })).toBe("no-transfer");
  });

  test.each([
    ["its nonce", NONCE, [STAKE]],
    ["another nonce", pad("0x02"), "not-authorized"],
  ])("can be bound to an EIP-3009 authorization: with %s", async (_, required, expected) => {
    const { transactionHash } = await relay(await createFundedAccount(local), { nonce: NONCE });
    expect(await outcomeOf(transactionHash, { authorizationNonce: required })).toEqual(expected);
  });

  test("is not bound to an authorization by a plain transfer, or by one to another account", async () => {
    const plain = await paid();
    expect(await outcomeOf(plain.transactionHash, { authorizationNonce: NONCE })).toBe(
      "not-authorized",
    );
    // In one transaction: the authorization pays the relayer, and an allowance the payee.
    const relayer = await createFundedAccount(local);
    const authorized = { to: relayer.address, amountMicro: 1n, nonce: NONCE };
    const call = await authorizeTransfer(local, payer, authorized);
    const both = await payWithAllowance((pay) => [call, pay(payee, STAKE)]);
    expect(await outcomeOf(both.transactionHash)).toEqual([STAKE]);
    expect(await outcomeOf(both.transactionHash, { authorizationNonce: NONCE })).toBe(
      "not-authorized",
    );
  });

  test("is not bound to an authorization whose event another contract emits", async () => {
    const topics = [AUTHORIZATION_TOPIC, payer.address, NONCE] as Hex[];
    const forged = await payWithAllowance((pay) => [{ topics, data: "0x" }, pay(payee, STAKE)]);
    expect(forged.logs).toHaveLength(2);
    expect(await outcomeOf(forged.transactionHash)).toEqual([STAKE]);
    expect(await outcomeOf(forged.transactionHash, { authorizationNonce: NONCE })).toBe(
      "not-authorized",
    );
  });

  test("must reach the minimum by the authorization alone", async () => {
    const relayer = await createFundedAccount(local);
    const receipt = await relay(relayer, { nonce: NONCE, amountMicro: STAKE - 1n });
    expect(await outcomeOf(receipt.transactionHash, { authorizationNonce: NONCE })).toBe(
      "too-little",
    );
  });

  test("that a spender makes with an allowance counts for the owner", async () => {
    const spender = await createFundedAccount(local);
    await sendDirectly(
      local.chain,
      payer,
      encodeUsdcCall(local, "approve", [spender.address, STAKE]),
    );
    const call = encodeUsdcCall(local, "transferFrom", [payer.address, payee, STAKE]);
    const receipt = await sendDirectly(local.chain, spender, call);
    await deepen();
    expect(await outcomeOf(receipt.transactionHash)).toEqual([STAKE]);
    expect(await outcomeOf(receipt.transactionHash, { from: spender.address })).toBe("no-transfer");
  });

  test("must be in a block after `afterBlock`", async () => {
    const { transactionHash, blockNumber } = await paid();
    expect(await outcomeOf(transactionHash, { afterBlock: blockNumber - 1n })).toEqual([STAKE]);
    expect(await outcomeOf(transactionHash, { afterBlock: blockNumber })).toBe("too-early");
    expect(await outcomeOf(transactionHash, { afterBlock: blockNumber + 1n })).toBe("too-early");
  });

  test("counts once it has enough confirmations", async () => {
    const { transactionHash } = await payUsdc(local, payer, payee, STAKE);
    expect(await check(transactionHash)).toEqual({ state: "shallow", retryAfterSeconds: 1 });
    await deepen(CONFIRMATIONS - 2);
    expect(await outcomeOf(transactionHash)).toBe("shallow");
    await deepen(1);
    expect(await outcomeOf(transactionHash)).toEqual([STAKE]);
  });

  test("that the node does not know is unknown, and so is one that a reorg removed", async () => {
    expect(await check(`0x${"ab".repeat(32)}`)).toEqual({
      state: "unknown",
      retryAfterSeconds: 10,
    });
    const before = await local.node.snapshot();
    const { transactionHash } = await paid();
    expect(await outcomeOf(transactionHash)).toEqual([STAKE]);
    await local.node.revert({ id: before });
    await deepen(20);
    expect(await outcomeOf(transactionHash)).toBe("unknown");
  });

  test("in a block that the chain no longer has is unknown, even if the node still returns a receipt", async () => {
    const { transactionHash, blockHash } = await paid();
    const stale = { ...local.chain, client: { ...local.chain.client } };
    stale.client.getTransactionReceipt = async (asked) => ({
      ...(await local.chain.client.getTransactionReceipt(asked)),
      blockHash: blockHash.replace(/.$/, (last) => (last === "0" ? "1" : "0")) as Hex,
    });
    const terms = { txHash: transactionHash, from: payer.address, to: payee, minMicro: STAKE };
    expect(await checkPayment(stale, terms)).toMatchObject({ state: "unknown" });
  });

  test("is not looked up on another chain", async () => {
    const { transactionHash: txHash } = await paid();
    const terms = { txHash, from: payer.address, to: payee, minMicro: STAKE };
    await expect(checkPayment({ ...local.chain, id: 8453 }, terms)).rejects.toThrow(/31337/);
  });
});

describe("several transfers in one transaction", () => {
  const take = (transfers: UsdcTransfer[]) =>
    database.db.transaction((tx) => claimTransfer(tx, local.chain, transfers, "stake"));

  async function several(...amounts: bigint[]) {
    const { self, receipt } = await construct(payer, () =>
      assembleBytecode(amounts.map((amount) => transferCall(payee, amount))),
    );
    const found = await check(receipt.transactionHash, { from: self });
    if (found.state !== "found") return expect.fail(found.state);
    return found.transfers;
  }

  test("are claimed in order, until all are used", async () => {
    const transfers = await several(600_000n, 400_000n, 500_000n, 700_000n);
    const taken = [await take(transfers), await take(transfers), await take(transfers)];
    expect(taken.map((one) => one && [one.logIndex, one.amountMicro])).toEqual([
      [0, 600_000n],
      [2, 500_000n],
      [3, 700_000n],
    ]);
    expect(await take(transfers)).toBeNull();
  });

  test("are claimed once each by concurrent callers on several connections", async () => {
    const transfers = await several(500_000n, 500_000n, 500_000n);
    const others = Array.from({ length: 4 }, () => openDatabase(database.url));
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (others[n % 4] ?? database).db.transaction((tx) =>
          claimTransfer(tx, local.chain, transfers, "stake"),
        ),
      ),
    );
    await Promise.all(others.map(({ close }) => close()));
    expect(
      taken
        .filter((one) => one !== null)
        .map(({ logIndex }) => logIndex)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(await database.db.select().from(usedTransfers)).toHaveLength(3);
  });

  test("can be claimed again after a rollback", async () => {
    const transfers = await several(500_000n);
    const failing = database.db.transaction(async (tx) => {
      await claimTransfer(tx, local.chain, transfers, "stake");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await take(transfers)).toMatchObject({ purpose: "stake", goneAt: null });
  });

  test("can be claimed separately on another chain", async () => {
    const transfers = await several(500_000n);
    await take(transfers);
    const elsewhere = await database.db.transaction((tx) =>
      claimTransfer(tx, { id: 8453 }, transfers, "stake"),
    );
    expect(elsewhere).toMatchObject({ chainId: 8453 });
  });
});

describe("the status of a used payment", () => {
  async function used(): Promise<UsdcTransfer> {
    const { transactionHash } = await payUsdc(local, payer, payee, STAKE);
    const found = await checkPayment(
      { ...local.chain, confirmations: 1 },
      { txHash: transactionHash, from: payer.address, to: payee, minMicro: 1n },
    );
    if (found.state !== "found") return expect.fail(found.state);
    return found.transfers[0];
  }

  test("is shallow, then confirmed, then final", async () => {
    const transfer = await used();
    // The last two blocks are not final, so a payment can be confirmed without being final.
    const slow = { ...local.chain, confirmations: 2 };
    expect(await getTransferStatus(slow, transfer)).toBe("shallow");
    await deepen(1);
    expect(await getTransferStatus(slow, transfer)).toBe("confirmed");
    await deepen(1);
    expect(await getTransferStatus(slow, transfer)).toBe("final");
  });

  test("is dropped only once the chain has finalized another block in its place", async () => {
    const before = await local.node.snapshot();
    const transfer = await used();
    await local.node.revert({ id: before });
    expect(await getTransferStatus(local.chain, transfer)).toBe("shallow");
    await deepen(2);
    expect(await getTransferStatus(local.chain, transfer)).toBe("reorged");
    await deepen(1);
    expect(await getTransferStatus(local.chain, transfer)).toBe("dropped");
  });

  test("is reorged while the payment is pending again", async () => {
    const before = await local.node.snapshot();
    const transfer = await used();
    const raw = await local.chain.client.request({
      method: "eth_getRawTransactionByHash" as never,
      params: [transfer.txHash] as never,
    });
    await local.node.revert({ id: before });
    await deepen(5);
    await local.node.setAutomine(false);
    await local.chain.client.sendRawTransaction({ serializedTransaction: raw });
    expect(await getTransferStatus(local.chain, transfer)).toBe("reorged");
    await local.node.setAutomine(true);
    await deepen(1);
    expect(await getTransferStatus(local.chain, transfer)).toBe("shallow");
    await deepen(2);
    expect(await getTransferStatus(local.chain, transfer)).toBe("final");
  });

  test.each<[string, () => Hex]>([
    ["reverted", () => "0x5f5ffd"],
    ["moved another amount", () => logOf(payer.address, payee, STAKE + 1n)],
    ["went to another recipient", () => logOf(payer.address, payer.address, STAKE)],
    ["came from another payer", () => logOf(payee, payee, STAKE)],
  ])("is dropped if the payment returns but %s, once that is final", async (_, code) => {
    const before = await local.node.snapshot();
    const transfer = await used();
    const raw = await local.chain.client.request({
      method: "eth_getRawTransactionByHash" as never,
      params: [transfer.txHash] as never,
    });
    await local.node.revert({ id: before });
    await local.node.setCode({ address: local.chain.usdcAddress, bytecode: code() });
    await local.chain.client.sendRawTransaction({ serializedTransaction: raw });
    await local.chain.client.waitForTransactionReceipt({ hash: transfer.txHash });
    expect(await getTransferStatus(local.chain, transfer)).toBe("reorged");
    await deepen(3);
    expect(await getTransferStatus(local.chain, transfer)).toBe("dropped");
  });

  describe("through a node that", () => {
    let node: FaultyNode;
    let shaky: typeof local.chain;
    beforeAll(async () => {
      node = await startFaultyNode(local.rpcUrl);
      const { chain } = local;
      shaky = await openChain({
        rpcUrl: node.url,
        registryAddress: chain.registryAddress,
        usdcAddress: chain.usdcAddress,
        recorderKey: generatePrivateKey(),
        stakeKey: generatePrivateKey(),
      });
    });
    afterEach(() => node.setBehavior("answer"));
    afterAll(() => node.close());

    test.each([
      ["eth_getTransactionReceipt"],
      ["eth_getBlockByNumber"],
      ["eth_getTransactionByHash"],
    ])(
      "does not respond to %s: throws",
      async (method) => {
        const before = await local.node.snapshot();
        const transfer = await used();
        if (method === "eth_getTransactionByHash") await local.node.revert({ id: before });
        await deepen(5);
        node.setBehavior("hang-up", [method]);
        await expect(getTransferStatus(shaky, transfer)).rejects.toThrow();
      },
      60_000,
    );

    test("has the block but not the receipt: uses the block's hash", async () => {
      const transfer = await used();
      node.setBehavior("forget", ["eth_getTransactionReceipt", "eth_getTransactionByHash"]);
      const slow = { ...shaky, confirmations: 2 };
      expect(await getTransferStatus(slow, transfer)).toBe("shallow");
      await deepen(1);
      expect(await getTransferStatus(slow, transfer)).toBe("confirmed");
      await deepen(1);
      expect(await getTransferStatus(slow, transfer)).toBe("final");
    });
  });
});
