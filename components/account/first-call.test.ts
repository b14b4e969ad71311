import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { submitInput } from "@/server/outcomes/schema";
import { firstCall } from "./first-call";

describe("the first call", () => {
  test("is a command that a shell takes apart into what the API takes", () => {
    const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
    const command = firstCall({ origin: "http://localhost:3000", apiKey: "rep_x", walletAddress });
    const words = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\0'")], {
      encoding: "utf8",
    }).split("\0");
    expect(words.slice(0, 6)).toEqual([
      "http://localhost:3000/api/v1/outcome",
      "-H",
      "X-API-Key: rep_x",
      "-H",
      "Content-Type: application/json",
      "-d",
    ]);
    const body = submitInput.parse(JSON.parse(words[6] ?? ""));
    expect(body.contractorAgentAddress).toBe(walletAddress);
  });
});
