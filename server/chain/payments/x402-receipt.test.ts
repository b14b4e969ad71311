import { createReceiptEIP712 } from "@x402/extensions/offer-receipt";
import fc from "fast-check";
import { keccak256, type PublicClient, stringToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import type { X402Receipt } from "@/server/chain/schema";
import { findReceiptFaults, readX402Receipt } from "./x402-receipt";

const SELLER = privateKeyToAccount(`0x${"11".repeat(32)}`);
const PAYER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const URL = "https://seller.example/rivers?of=Europe";
const HASH = `0x${"a1".repeat(32)}`;
const SALE = { contractor: SELLER.address, requester: PAYER, paymentTxHash: HASH };

/** Signs with x402's own package. */
const sign = (changes: object = {}, account = SELLER) =>
  createReceiptEIP712(
    { resourceUrl: URL, payer: PAYER, network: "eip155:8453", transaction: HASH, ...changes },
    (data) => account.signTypedData(data as Parameters<typeof account.signTypedData>[0]),
  );

const wrap = (receipt: unknown) => ({ "offer-receipt": { info: { receipt }, schema: {} } });

/** Base without contracts: no wallet has code. */
const client = { getBlockNumber: async () => 1n, getCode: async () => undefined };
const chain = { id: 8453, client: client as unknown as PublicClient };

const listFaults = async (receipt: X402Receipt | null, changes: object = {}) => {
  if (!receipt) return expect.fail("it was not read");
  const faults = await findReceiptFaults(chain, receipt, { ...SALE, ...changes });
  return faults.map(({ field }) => field);
};

let signed: Awaited<ReturnType<typeof sign>>;
beforeAll(async () => {
  signed = await sign();
});

describe("a receipt that x402's package signed", () => {
  test("proves that the contractor confirmed the sale, without asking a node", async () => {
    const receipt = readX402Receipt(wrap(signed));
    expect(receipt).toMatchObject({ payer: PAYER, transaction: HASH, network: "eip155:8453" });
    const offline = { id: 8453, client: {} as PublicClient };
    expect(await findReceiptFaults(offline, receipt as X402Receipt, SALE)).toEqual([]);
  });

  test("is kept with the hash of the URL instead of the URL", () => {
    const receipt = readX402Receipt(wrap(signed));
    expect(receipt?.resourceUrlHash).toBe(keccak256(stringToBytes(URL)));
    expect(JSON.stringify(receipt)).not.toContain("rivers");
  });

  test("may spell addresses and hashes in any letter case, as it was signed", async () => {
    const spelled = {
      payer: PAYER.toLowerCase(),
      transaction: HASH.toUpperCase().replace("X", "x"),
    };
    const receipt = readX402Receipt(wrap(await sign(spelled)));
    expect(receipt).toMatchObject(spelled);
    expect(await listFaults(receipt)).toEqual([]);
  });

  test.each([
    ["another contractor", { contractor: PAYER }, ["signature"]],
    ["another requester", { requester: SELLER.address }, ["payer"]],
    ["another payment", { paymentTxHash: `0x${"b2".repeat(32)}` }, ["transaction"]],
    ["an outcome without a payment", { paymentTxHash: undefined }, ["transaction"]],
  ])("proves nothing about %s", async (_, changes, expected) => {
    expect(await listFaults(readX402Receipt(wrap(signed)), changes)).toEqual(expected);
  });

  test("proves nothing about a payment on another network", async () => {
    const receipt = readX402Receipt(wrap(await sign({ network: "eip155:84532" })));
    expect(await listFaults(receipt)).toEqual(["network"]);
  });

  test("proves nothing once a signed field was changed", async () => {
    const receipt = readX402Receipt(wrap(signed)) as X402Receipt;
    for (const change of [
      { issuedAt: receipt.issuedAt + 1 },
      { resourceUrlHash: HASH },
      { payer: PAYER.toLowerCase() },
      { transaction: HASH.toUpperCase().replace("X", "x") },
    ]) {
      expect(await listFaults({ ...receipt, ...change }), JSON.stringify(change)).toEqual([
        "signature",
      ]);
    }
  });
});

describe("a receipt is not read", () => {
  test.each<[string, (receipt: typeof signed) => unknown]>([
    ["that names no transaction", (receipt) => change(receipt, { transaction: "" })],
    [
      "that names a transaction of another kind",
      (receipt) => change(receipt, { transaction: "5v" }),
    ],
    ["of another version", (receipt) => change(receipt, { version: 2 })],
    ["whose payer is no EVM wallet", (receipt) => change(receipt, { payer: "did:key:z6Mk" })],
    ["whose time is a text", (receipt) => change(receipt, { issuedAt: "1795533464" })],
    ["in the format jws", ({ payload, signature }) => ({ format: "jws", payload, signature })],
    ["without a signature", ({ payload, format }) => ({ payload, format })],
    ["whose signature is no hexadecimal text", (receipt) => ({ ...receipt, signature: "0xz" })],
  ])("%s", (_, edit) => {
    expect(readX402Receipt(wrap(edit(signed)))).toBeNull();
  });

  const change = (receipt: typeof signed, changes: object) => ({
    ...receipt,
    payload: { ...receipt.payload, ...changes },
  });

  test("from anything else, and that is no error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const extensions of [
          undefined,
          value,
          wrap(value),
          wrap({ ...signed, payload: value }),
        ]) {
          expect(readX402Receipt(extensions)).toBeNull();
        }
      }),
    );
  });
});
