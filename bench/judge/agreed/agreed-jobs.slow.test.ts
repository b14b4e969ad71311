import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { executeCode } from "@/server/judging/checks/code/sandbox/execute-code";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import { findInvalidRequirement } from "@/server/judging/requirements/find-invalid-requirement";
import { requirementSchema } from "@/server/judging/requirements/schema";
import { categorySchema } from "@/server/lib/schema";

const job = z.strictObject({
  id: z.string(),
  category: categorySchema,
  language: z.enum(["de", "en", "es", "fr", "ja"]),
  task: z.string(),
  requirements: z.array(requirementSchema).min(1),
  good: z.string(),
  bad: z.string(),
  /** Texts of the pages that respond, by URL. */
  pages: z.record(z.string(), z.string()).default({}),
});
const JOBS = readFileSync(join(import.meta.dirname, "jobs.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => job.parse(JSON.parse(line)));
/** Keep the agreed form; only their content is wrong. */
const NOT_CAUGHT = ["legal-5", "ops-5"];

test.each(JOBS)("$id: the good deliverable passes", async ({ requirements, good, bad, pages }) => {
  expect(await findInvalidRequirement(requirements)).toBeNull();
  const decide = createRequirementDecider({
    fetchCitedPage: async (url) =>
      pages[url] === undefined
        ? { kind: "missing", status: 404 }
        : { kind: "page", text: pages[url], isPartial: false },
    runCode: (code, options) => executeCode(code, options),
  });
  const deliver = (text: string) => ({ text, source: text, file: null, problem: null });
  const failed = (await decide(deliver(good), requirements)).filter(({ passed }) => !passed);
  expect(failed).toEqual([]);
  const results = await decide(deliver(bad), requirements);
  isCaught.set(bad, !results.every(({ passed }) => passed));
});

const isCaught = new Map<string, boolean>();

test("48 of 50 bad deliverables fail a requirement", () => {
  const missed = JOBS.filter(({ bad }) => !isCaught.get(bad)).map(({ id }) => id);
  expect(JOBS).toHaveLength(50);
  expect(missed).toEqual(NOT_CAUGHT);
});
