import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findIntegrationTests } from "./integration-tests";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "standing-tests-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

test("finds tests that start a service, directly or through imports, or a program", () => {
  // Split in two, or this file would be classified as an integration test itself.
  const start = "startAnvil".concat("();");
  const program = "execFile".concat("();");
  write("a/starts.test.ts", start);
  write("testing/chain.ts", start);
  write("testing/agent.ts", 'import {\n  chain,\n} from "./chain";');
  write("a/imports.test.ts", 'import { agent } from "@/testing/agent";');
  write("a/imports-type.test.ts", 'import type { Agent } from "@/testing/agent";');
  write("a/pure.test.ts", 'import { add } from "./add";\nimport postgres from "postgres";');
  write("a/add.ts", "export const add = 1;");
  write("a/program.test.ts", program);
  write("a/runs.ts", program);
  write("a/imports-program.test.ts", 'import { runs } from "./runs";');
  expect(findIntegrationTests(root, ["a"])).toEqual([
    "a/imports.test.ts",
    "a/program.test.ts",
    "a/starts.test.ts",
  ]);
});
