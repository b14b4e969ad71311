import { expect, test } from "vitest";
import { CODE_PROGRAMS, decidePrograms } from "@/server/testing/fixtures/code-programs";

test("of the programs, most are decided and none wrongly", async () => {
  const results = [];
  for (const program of CODE_PROGRAMS) results.push(await decidePrograms(program));
  const wrongly = results.filter(({ right, wrong }) => right === "fail" || wrong === "pass");
  expect(wrongly).toEqual([]);
  const decided = results.flatMap(({ right, wrong }) => [right === "pass", wrong === "fail"]);
  expect(decided.filter((isDecided) => !isDecided).length).toBeLessThanOrEqual(10);
});
