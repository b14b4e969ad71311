import { TRPCError } from "@trpc/server";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AppError, ERRORS } from "./errors";
import { InputError, parseInput } from "./input/parse-input";
import { isFault, toAppError } from "./to-app-error";

const schema = z.strictObject({
  wallets: z.array(z.string()).optional(),
  "a/b": z.int().optional(),
});

function violation(input: unknown): TRPCError {
  try {
    parseInput(schema, input);
  } catch (cause) {
    if (cause instanceof InputError) return new TRPCError({ code: "BAD_REQUEST", cause });
  }
  throw new Error("the input is valid");
}

describe("toAppError", () => {
  it("returns an AppError unchanged, wrapped by tRPC or not", () => {
    const refusal = new AppError("conflict", "The state is the same already.", {
      extra: { disputeId: "d" },
    });
    expect(toAppError(refusal)).toBe(refusal);
    expect(toAppError(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: refusal }))).toBe(
      refusal,
    );
  });

  it("recognizes an AppError of another copy of this module", async () => {
    vi.resetModules();
    const copy = await import("./to-app-error");
    expect(copy.toAppError).not.toBe(toAppError);
    const refusal = new AppError("not-found", "No such resource.");
    expect(copy.toAppError(refusal)).toBe(refusal);
    expect(copy.toAppError(violation({ wallets: 1 })).code).toBe("invalid-request");
  });

  it("does not reveal why a key was refused", () => {
    const reasons = ["The key is revoked.", "No such key."].map((reason) =>
      toAppError(new AppError("unauthenticated", reason, { extra: { reason } })),
    );
    expect(reasons[0]).toEqual(reasons[1]);
    expect(reasons[0]?.headers).toEqual({ "WWW-Authenticate": "ApiKey, Bearer" });
    expect(reasons[0]?.detail).toBe(
      "Send your key as `X-API-Key: rep_…` or `Authorization: Bearer rep_…`. URL parameters are not read. Check that the key was not cut off.",
    );
  });

  it("points to each invalid field", () => {
    const { code, errors } = toAppError(violation({ wallets: ["a", 1], "a/b": 1.5, walets: [] }));
    expect(code).toBe("invalid-request");
    expect(errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["#/wallets/1", "invalid-type"],
      ["#/a~1b", "invalid-type"],
      ["#/walets", "unknown-field"],
    ]);
  });

  it("lets a transport map input paths", () => {
    const { errors, detail } = toAppError(
      violation({ wallets: 1 }),
      (path) => `#/query/${path[0]?.toString()}`,
    );
    expect(errors?.[0]?.pointer).toBe("#/query/wallets");
    expect(detail).toBe("#/query/wallets must be an array; it is 1.");
  });

  it("states the first violation and counts the others", () => {
    const detail = (input: unknown) => toAppError(violation(input)).detail;
    expect(detail({ walets: [] })).toBe(
      "#/walets is not a field of this request. Did you mean `wallets`?",
    );
    expect(detail({ "a/b": 1.5, other: 1 })).toBe(
      "#/a~1b must be a whole number; it is 1.5. Another field is not valid either; see `errors`.",
    );
    expect(detail([])).toBe("The body must be an object; it is an array.");
  });

  it("lists at most fifty fields", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i]));
    expect(toAppError(violation(many)).errors).toHaveLength(50);
    expect(toAppError(violation({ wallets: Array(1_000).fill(0) })).errors).toHaveLength(50);
  });

  it.each([
    ["BAD_REQUEST", "invalid-request"],
    ["METHOD_NOT_SUPPORTED", "method-not-allowed"],
    ["NOT_FOUND", "not-found"],
    ["PARSE_ERROR", "malformed-json"],
    ["PAYLOAD_TOO_LARGE", "body-too-large"],
    ["UNSUPPORTED_MEDIA_TYPE", "unsupported-media-type"],
  ] as const)("maps tRPC's own %s to %s without its message", (code, expected) => {
    const secret = "password=hunter2";
    const mapped = toAppError(new TRPCError({ code, message: secret }));
    expect(mapped.code).toBe(expected);
    expect(JSON.stringify({ ...mapped, message: mapped.message })).not.toContain(secret);
  });

  it("maps input that is not JSON", () => {
    const cause = new SyntaxError("Unexpected token");
    expect(toAppError(new TRPCError({ code: "BAD_REQUEST", cause })).code).toBe("malformed-json");
  });

  it.each([
    "08006",
    "53100",
    "53200",
    "53300",
    "57P01",
    "57P02",
    "57P03",
    "CONNECTION_CLOSED",
    "CONNECTION_ENDED",
    "CONNECTION_DESTROYED",
    "CONNECT_TIMEOUT",
    "ECONNRESET",
    "ECONNREFUSED",
    "EPIPE",
  ])("maps %s from the database, however it is wrapped, to unavailable", (code) => {
    const secret = "password=hunter2";
    const error = Object.assign(new Error(secret), { code });
    const query = new Error(secret, { cause: error });
    for (const thrown of [
      error,
      query,
      new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: query }),
    ]) {
      const mapped = toAppError(thrown);
      expect(mapped).toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" } });
      expect(JSON.stringify({ ...mapped, message: mapped.message })).not.toContain(secret);
      expect(isFault(thrown)).toBe(true);
    }
  });

  it("masks everything else", () => {
    const secret = "password=hunter2";
    for (const error of [
      new Error(secret),
      new TRPCError({ code: "BAD_REQUEST", cause: new TypeError(secret) }),
      new TRPCError({ code: "NOT_FOUND", cause: new Error(secret) }),
      new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: secret }),
      secret,
      null,
    ]) {
      const masked = toAppError(error);
      expect(masked.code).toBe("internal-error");
      expect(JSON.stringify({ ...masked, message: masked.message })).not.toContain(secret);
    }
  });
});

it("has a title and help for every error", () => {
  for (const row of Object.values(ERRORS)) {
    expect(row.title).not.toMatch(/\.$/);
    expect(row.help).toMatch(/\.$/);
    expect(row.status).toBeGreaterThanOrEqual(400);
  }
});
