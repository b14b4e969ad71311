import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createDeflate, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createPdf, createPdfFile } from "@/server/testing/fixtures/pdf";
import { extractPdfText } from "./document-text";

const flate = { filter: "/Filter /FlateDecode" };

describe("reading a hostile file stops", () => {
  test("at the byte limit, before the inflated data is in memory", async () => {
    const deflate = createDeflate();
    const piece = Buffer.alloc(64 * 1024 * 1024, " ");
    Readable.from(Array(8).fill(piece)).pipe(deflate);
    const bomb = createPdfFile(await buffer(deflate), flate);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const before = process.resourceUsage().maxRSS;
    expect(await extractPdfText(bomb)).toMatchObject({
      ok: false,
      code: "memory",
      retryable: false,
    });
    // In KiB; the file inflates to 512 MiB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(300 * 1024);
  });

  test("at the heap limit", async () => {
    const operands = deflateSync(Buffer.from(`[${"(a) ".repeat(5_000_000)}] TJ`));
    const file = createPdfFile(operands, flate);
    expect(await extractPdfText(file, { heapMb: 16, maxBytes: 2 ** 31 })).toMatchObject({
      ok: false,
      code: "memory",
    });
  });

  test("before the next file is read", async () => {
    const bomb = createPdfFile(deflateSync(Buffer.alloc(100 * 1024 * 1024, " ")), flate);
    const [, after] = await Promise.all([extractPdfText(bomb), extractPdfText(createPdf("after"))]);
    expect(after).toEqual({ ok: true, text: "after" });
  });
});
