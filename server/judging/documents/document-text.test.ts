import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createPdf, createPdfFile } from "@/server/testing/fixtures/pdf";
import { extractPdfText } from "./document-text";

const flate = { filter: "/Filter /FlateDecode" };

test("extracts the lines of a page", async () => {
  expect(await extractPdfText(createPdf("Revenue rose (by 4%).", "Costs fell."))).toEqual({
    ok: true,
    text: "Revenue rose (by 4%).\nCosts fell.",
  });
});

test("extracts a compressed page", async () => {
  const content = deflateSync(Buffer.from("BT /F1 12 Tf 72 720 Td (packed) Tj ET"));
  expect(await extractPdfText(createPdfFile(content, flate))).toEqual({ ok: true, text: "packed" });
});

test("does not modify the bytes", async () => {
  const bytes = createPdf("text");
  const copy = Buffer.from(bytes);
  await extractPdfText(bytes);
  expect(bytes.equals(copy)).toBe(true);
});

const password = {
  trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${"o".repeat(32)}) /U (${"u".repeat(32)}) /P -4 >> /ID [<00> <00>]`,
};

describe("returns a failure for", () => {
  test.each<[string, Buffer, string]>([
    ["an encrypted file", createPdfFile("BT ET", password), "encrypted"],
    ["another kind of file", Buffer.from("hello"), "broken"],
    ["an empty file", Buffer.alloc(0), "broken"],
    ["a truncated file", createPdf("text").subarray(0, 60), "broken"],
    ["an empty page", createPdfFile(""), "no-text"],
    ["white space", createPdf("   "), "no-text"],
  ])("%s", async (_, bytes, code) => {
    expect(await extractPdfText(bytes)).toMatchObject({ ok: false, code, retryable: false });
  });
});

describe("reading a hostile file stops", () => {
  test("at the text limit", async () => {
    const file = createPdf("x".repeat(50), "y".repeat(51));
    expect(await extractPdfText(file, { maxText: 101 })).toMatchObject({
      ok: false,
      code: "too-long",
    });
    expect(await extractPdfText(file, { maxText: 102 })).toMatchObject({ ok: true });
  });

  test("at the time limit, even while its thread is busy", async () => {
    const busy = createPdfFile(
      deflateSync(Buffer.alloc(100 * 1024 * 1024, " "), { level: 9 }),
      flate,
    );
    expect(await extractPdfText(busy, { timeoutMs: 200, maxBytes: 2 ** 31 })).toMatchObject({
      ok: false,
      code: "timeout",
      retryable: true,
    });
  });
});
