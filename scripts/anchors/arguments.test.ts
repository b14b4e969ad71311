import { expect, test } from "vitest";
import { parseCommand } from "./arguments";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

test("parses commands, wallets to checksum form and dates as UTC", () => {
  expect(parseCommand(["add", WALLET.toLowerCase(), "--reason", "A customer"])).toEqual({
    verb: "add",
    wallet: WALLET,
    until: null,
    reason: "A customer",
  });
  const options = ["--until", "2030-02-28", "--reason", " A customer of ours "];
  expect(parseCommand(["add", WALLET, ...options])).toMatchObject({
    until: new Date("2030-02-28T00:00:00Z"),
    reason: "A customer of ours",
  });
  expect(
    parseCommand(["add", WALLET, "--reason", "A", "--until", "2030-02-28T12:00:00+01:00"]),
  ).toMatchObject({
    until: new Date("2030-02-28T11:00:00Z"),
  });
  expect(parseCommand(["revoke", WALLET])).toEqual({ verb: "revoke", wallet: WALLET });
  expect(parseCommand(["list"])).toEqual({ verb: "list" });
});

test.each([
  [[], /^Usage: /],
  [["add"], /^Usage: /],
  [["remove", WALLET], /^Usage: /],
  [["list", WALLET], /^Usage: /],
  [["add", WALLET, WALLET], /^Usage: /],
  [["add", WALLET, "--untill", "2030-01-01"], /^Unknown option '--untill'\.\nUsage: /],
  [["revoke", WALLET, "--until", "2030-01-01"], /^Usage: /],
  [["add", "0x1"], /^0x1 is not an address/],
  [["add", WALLET, "--until", "2030-02-30"], /is not a date/],
  [["add", WALLET, "--until", "2030-01-01T12:00"], /is not a date/],
  [["add", WALLET, "--until", "tomorrow"], /is not a date/],
  [["add", WALLET], /^Give the reason/],
  [["add", WALLET, "--reason", " "], /^Give the reason/],
  [["add", WALLET, "--reason", "x".repeat(501)], /^Give the reason/],
])("explains why it rejects %j", (args, message) => {
  expect(() => parseCommand(args)).toThrow(message);
});
