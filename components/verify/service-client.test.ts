import { BaseError, HttpRequestError, TimeoutError } from "viem";
import { expect, test } from "vitest";
import { describeFailure } from "./service-client";

const NODE = "https://node.example/key";

test("names the host of a node that can't be reached, and the command", () => {
  const cause = new HttpRequestError({ url: NODE, cause: new TypeError("Failed to fetch") });
  for (const error of [cause, new BaseError("reading failed", { cause })]) {
    expect(describeFailure(error, NODE)).toMatch(/^node\.example can't be reached.*CORS.*command/);
  }
});

test("distinguishes a node that is too slow from one that refuses a request", () => {
  const slow = new TimeoutError({ body: {}, url: NODE });
  expect(describeFailure(slow, NODE)).toMatch(/^node\.example did not respond in time/);
  const refused = new HttpRequestError({ url: NODE, status: 403, details: "Forbidden" });
  expect(describeFailure(refused, NODE)).toBe("node.example: HTTP request failed.");
});

test("keeps the message of the check itself", () => {
  const error = new Error("The node is on chain 1, the service records on chain 8453.");
  expect(describeFailure(error, NODE)).toBe(error.message);
});
