import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { submitInput } from "@/server/outcomes/schema";
import { buildFirstCall } from "./first-call";

describe("the first call", () => {
  test("is a shell command with a valid API request", () => {
    const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
    const command = buildFirstCall({
      origin: "http://localhost:3000",
      apiKey: "rep_x",
      walletAddress,
    });
    const args = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\0'")], {
      encoding: "utf8",
    }).split("\0");
    expect(args.slice(0, 6)).toEqual([
      "http://localhost:3000/api/v1/outcome",
      "-H",
      "X-API-Key: rep_x",
      "-H",
      "Content-Type: application/json",
      "-d",
    ]);
    const body = submitInput.parse(JSON.parse(args[6] ?? ""));
    expect(body.contractorAgentAddress).toBe(walletAddress);
  });
});
