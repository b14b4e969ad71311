import { expect, test } from "vitest";
import { CODE_PROGRAMS, decidePrograms } from "@/server/testing/fixtures/code-programs";

test.each(CODE_PROGRAMS.slice(0, 6))("%s", async (...program) => {
  expect(await decidePrograms(program)).toMatchObject({ right: "pass", wrong: "fail" });
});
