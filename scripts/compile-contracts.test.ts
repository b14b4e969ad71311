import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compileContracts } from "./compile-contracts";

test("the committed contracts are what their sources compile to (else: npx tsx scripts/compile-contracts.ts)", async () => {
  const compiled = await compileContracts();
  expect(compiled.size).toBe(2);
  for (const [name, text] of compiled) {
    expect(text === (await readFile(`contracts/${name}.json`, "utf8")), name).toBe(true);
  }
  // The compiler is WebAssembly: it takes seconds on an idle machine, many on a busy one.
}, 180_000);
