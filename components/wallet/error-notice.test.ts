import { TRPCClientError } from "@trpc/client";
import { InsufficientFundsError, SwitchChainError, UserRejectedRequestError } from "viem";
import { describe, expect, test } from "vitest";
import { describeError } from "./error-notice";

const refused = (data: object) => Object.assign(new TRPCClientError("refused"), { data });

describe("describing an error", () => {
  test("returns the service's own detail", () => {
    const error = refused({
      code: "already-disputed",
      detail: "This outcome is disputed already.",
    });
    expect(describeError(error)).toBe("This outcome is disputed already.");
  });

  test("explains how to sign in again after the session has expired", () => {
    expect(describeError(refused({ code: "unauthenticated", detail: "Send a key." }))).toContain(
      "Sign in again in another tab",
    );
  });

  test("suggests checking the connection if the service is unreachable", () => {
    expect(describeError(new TRPCClientError("Failed to fetch"))).toContain(
      "Check your connection",
    );
  });

  test.each([
    ["declined", new UserRejectedRequestError(new Error("no"))],
    ["declined", Object.assign(new Error("User rejected"), { code: 4001 })],
    ["still waiting", Object.assign(new Error("pending"), { code: -32_002 })],
    ["too little ether", new InsufficientFundsError()],
    ["right network", new SwitchChainError(new Error("no"))],
    ["doesn't let this site", Object.assign(new Error("not authorised"), { code: 4100 })],
    ["Enable and unlock it", new Error("Extension context invalidated.")],
    ["Allow pop-ups", { code: -32_603, message: "Popup window was blocked" }],
    ["in time", new Error("Proposal expired")],
    ["WalletConnect is not responding", new Error("WebSocket connection failed for host: wss://…")],
    ["could not be loaded", Object.assign(new Error("…"), { name: "ChunkLoadError" })],
  ])("says “%s” for a wallet error, at any depth", (words, error) => {
    expect(describeError(error)).toContain(words);
    const wrapped = new Error("outer", { cause: new Error("middle", { cause: error }) });
    expect(describeError(wrapped)).toContain(words);
  });

  test("includes the wallet's own message if the error is unknown", () => {
    expect(describeError(new Error("Ledger is locked"))).toContain("Ledger is locked");
    expect(describeError(null)).toContain("no reason given");
  });
});
