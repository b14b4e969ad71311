import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseEnv } from "@/server/lib/env";
import { RATE_LIMITS } from "./limits";

const reads = parseEnv({}).PUBLIC_READS_PER_MINUTE;

it("documents every limit in the operator's guide", async () => {
  const guide = await readFile("docs/operations.md", "utf8");
  const section = /### Rate limits\n(.*?)\n### /s.exec(guide)?.[1] ?? "";
  const rows = [...section.matchAll(/^\| `([\w-]+)`[^|]*\| (\d+) \|/gm)];
  expect(Object.fromEntries(rows.map(([, name, limit]) => [name, Number(limit)]))).toEqual(
    RATE_LIMITS,
  );
  expect(section).toContain(`\`PUBLIC_READS_PER_MINUTE\` (${reads})`);
});
