import { expect, test } from "vitest";
import { ERRORS } from "@/server/lib/errors";
import { createProblemExample, ERROR_CODES, problemSchema } from "./components";

test("each error has an example that a response could be", () => {
  for (const code of ERROR_CODES) {
    const { value } = createProblemExample(code, "/outcome");
    expect(problemSchema.parse(value), code).toMatchObject({
      code,
      type: `/problems/${code}`,
      status: ERRORS[code].status,
      help: ERRORS[code].help.replaceAll("`", ""),
      instance: "/api/v1/outcome",
    });
  }
});
