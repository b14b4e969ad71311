import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compileContracts } from "./compile-contracts";

test("the committed contracts match their sources (if not, run npx tsx scripts/compile-contracts.ts)", async () => {
  const compiled = await compileContracts();
  expect(compiled.size).toBe(9);
  for (const [name, text] of compiled) {
    expect(text === (await readFile(`contracts/${name}.json`, "utf8")), name).toBe(true);
  }
  // The compiler is WebAssembly, which takes many seconds on a busy machine.
}, 180_000);
