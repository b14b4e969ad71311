import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "@/server/lib/errors";
import { readX402Payment } from "./x402";

const BASE = { id: 8453, name: "Base" };
const PAYER = "0x52908400098527886E0F7030069857D2E4169EE7";
const TRANSACTION = `0x${"a1".repeat(32)}`;
const RECEIPT = {
  success: true,
  transaction: TRANSACTION,
  network: "eip155:8453",
  payer: PAYER as string | null | undefined,
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

const read = (header: string, chain = BASE) =>
  readX402Payment(chain, { header, payer: PAYER, pointer: "#/payment/x402" });

/** Returns the error of a header that is refused; fails if it is accepted. */
function refusal(header: string): AppError {
  try {
    read(header);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return expect.fail("it was accepted");
}

describe("a receipt of a settled payment names its transaction", () => {
  test("as in the example of x402's HTTP transport for v2", () => {
    const baseSepolia = { id: 84_532, name: "Base Sepolia" };
    const header =
      "eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4MTIzNDU2Nzg5MGFiY2RlZjEyMzQ1Njc4OTBhYmNkZWYxMjM0NTY3ODkwYWJjZGVmMTIzNDU2Nzg5MGFiY2RlZiIsIm5ldHdvcmsiOiJlaXAxNTU6ODQ1MzIiLCJwYXllciI6IjB4ODU3YjA2NTE5RTkxZTNBNTQ1Mzg3OTFiRGJiMEUyMjM3M2UzNmI2NiJ9";
    const payer = "0x857b06519E91e3A54538791bDbb0E22373e36b66";
    expect(readX402Payment(baseSepolia, { header, payer, pointer: "#/payment/x402" })).toEqual({
      transaction: "0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef",
      receipt: null,
    });
  });

  test.each([
    ["with a CAIP-2 network", RECEIPT, BASE],
    ["with the name that v1 uses for Base", { ...RECEIPT, network: "base" }, BASE],
    [
      "with the name that v1 uses for Base Sepolia",
      { ...RECEIPT, network: "base-sepolia" },
      { id: 84_532, name: "Base Sepolia" },
    ],
    ["without a payer", { ...RECEIPT, payer: undefined }, BASE],
    ["with a payer that is null", { ...RECEIPT, payer: null }, BASE],
    ["with the payer in lower case", { ...RECEIPT, payer: PAYER.toLowerCase() }, BASE],
    ["with fields of extensions", { ...RECEIPT, amount: "10000", extensions: { a: {} } }, BASE],
    [
      "if it was settled before",
      { ...RECEIPT, success: false, errorReason: "payment already settled" },
      BASE,
    ],
    ["with a hash in upper case", { ...RECEIPT, transaction: `0x${"A1".repeat(32)}` }, BASE],
  ])("%s", (_, receipt, chain) => {
    const expected = { transaction: TRANSACTION, receipt: null };
    expect(read(encode(receipt), chain)).toEqual(expected);
    expect(read(encode(receipt).replace(/=+$/, ""), chain)).toEqual(expected);
  });
});

describe("a receipt is refused, with the reason and what to do,", () => {
  test.each([
    ["if it is not base64", "PAYMENT-RESPONSE: e30=", /is not base64/],
    ["if it is the JSON itself", JSON.stringify(RECEIPT), /is not base64/],
    ["if a character is missing", "e30=e", /is not base64/],
    ["if it decodes to text", Buffer.from("paid").toString("base64"), /other than JSON/],
    [
      "if it decodes to invalid UTF-8",
      Buffer.from([0x22, 0xff, 0x22]).toString("base64"),
      /than JSON/,
    ],
    ["if it decodes to a list", encode([RECEIPT]), /not an object/],
    ["if it decodes to null", encode(null), /not an object/],
    ["if it does not say whether it succeeded", encode({ ...RECEIPT, success: 1 }), /`success`/],
    ["if it has no network", encode({ ...RECEIPT, network: undefined }), /`network`/],
    ["if its network is a sentence", encode({ ...RECEIPT, network: "Base chain" }), /`network`/],
    ["if its transaction is a number", encode({ ...RECEIPT, transaction: 1 }), /`transaction`/],
  ])("%s", (_, header, detail) => {
    const error = refusal(header);
    expect([error.code, error.errors?.[0]?.code]).toEqual([
      "payment-invalid",
      "invalid-x402-receipt",
    ]);
    expect(error.errors?.[0]?.pointer).toBe("#/payment/x402");
    expect(error.detail).toMatch(detail);
    expect(error.detail).toContain("Send the value of the PAYMENT-RESPONSE header unchanged");
  });

  test.each([
    ["Base Sepolia", "eip155:84532"],
    ["Base Sepolia by its name", "base-sepolia"],
    ["Solana", "solana:mainnet"],
    ["a network whose name ends alike", "my-eip155:8453"],
    ["the number alone", "8453"],
    ["a property of every object", "constructor"],
  ])("if it is of another network: %s", (_, network) => {
    const error = refusal(encode({ ...RECEIPT, network, transaction: "5vXy" }));
    expect([error.code, error.errors?.[0]?.code]).toEqual(["payment-invalid", "wrong-network"]);
    expect(error.detail).toContain(`settled on ${network}, but`);
    expect(error.detail).toContain("Base (eip155:8453)");
  });

  test.each([undefined, null, "", "0x1234"])(
    "if the payment was not settled, with its reason on one line, and its transaction is %j",
    (transaction) => {
      const errorReason = "insufficient_funds\n\u202e";
      const network = "eip155:8453";
      const error = refusal(encode({ success: false, transaction, errorReason, network }));
      expect([error.code, error.errors?.[0]?.code]).toEqual(["payment-invalid", "not-settled"]);
      expect(error.detail).toContain("(insufficient_funds??)");
    },
  );

  test.each(["", "0x1234", null, `${TRANSACTION}00`])("if its transaction is %j", (transaction) => {
    const error = refusal(encode({ ...RECEIPT, transaction }));
    expect(error.code).toBe("payment-invalid");
    expect(error.errors?.[0]?.code).toBe("invalid-transaction");
  });

  test.each(["0x8617E340B3D01FA5F11F306F4090FD50E238070D", "5vXyDxM8", `${PAYER}00`])(
    "if %s paid instead of the requester",
    (payer) => {
      const error = refusal(encode({ ...RECEIPT, payer }));
      expect([error.code, error.errors?.[0]?.code]).toEqual(["payment-invalid", "wrong-payer"]);
      expect(error.detail).toContain(payer);
      expect(error.detail).toContain(PAYER);
    },
  );

  test("whatever it holds: every header names a hash or gets a typed error", () => {
    const receipts = fc.record(
      {
        success: fc.oneof(fc.boolean(), fc.jsonValue()),
        transaction: fc.oneof(fc.constant(TRANSACTION), fc.jsonValue()),
        network: fc.oneof(fc.constant("base"), fc.jsonValue()),
        payer: fc.oneof(fc.constant(PAYER), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const headers = fc.oneof(receipts.map(encode), fc.jsonValue().map(encode), fc.string());
    fc.assert(
      fc.property(headers, (header) => {
        try {
          expect(read(header).transaction).toBe(TRANSACTION);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
