import { expect, test } from "vitest";
import { parseCommand } from "./arguments";

const WALLET = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const ID = "00000000-0000-7000-8000-000000000000";

test.each([
  [["status"], { verb: "status", json: false }],
  [["status", "--json"], { verb: "status", json: true }],
  [["retry", "outcomes"], { verb: "retry", kind: "outcomes", id: undefined }],
  [["retry", "disputes", ID], { verb: "retry", kind: "disputes", id: ID }],
  [["retry", "jobs", "17"], { verb: "retry", kind: "jobs", id: "17" }],
  [["backup", "file"], { verb: "backup", file: "file" }],
  [["restore", "file"], { verb: "restore", file: "file" }],
  [["rebuild"], { verb: "rebuild" }],
  [["reseal"], { verb: "reseal" }],
  [
    ["deploy", "--rpc", "https://node", "--owner", WALLET, "--recorder", WALLET],
    { verb: "deploy", rpc: "https://node", args: [WALLET, WALLET] },
  ],
  [
    ["deploy-gate", "--rpc", "https://node", "--registry", WALLET, "--signer", WALLET],
    { verb: "deploy-gate", rpc: "https://node", args: [WALLET, WALLET] },
  ],
])("parses %j", (args, command) => {
  expect(parseCommand(args)).toEqual(command);
});

test.each([
  [[]],
  [["retry"]],
  [["status", "outcomes"]],
  [["backup"]],
  [["backup", "a", "b"]],
  [["rebuild", "--json"]],
  [["rebuild", "x"]],
  [["status", "--rpc", "https://node"]],
  [["retry", "outcomes", ID, "more"]],
  [["status", "--signer", WALLET]],
  [["deploy", "--rpc", "https://node", "--owner", WALLET, "--signer", WALLET]],
  [["deploy-gate", "--rpc", "https://node", "--registry", WALLET, "--recorder", WALLET]],
])("prints the usage for %j", (args) => {
  expect(() => parseCommand(args)).toThrow(/^Usage: npm run ops/);
});

test("names an unknown option", () => {
  const message = /^Unknown option '--all'\.\nUsage: npm run ops/;
  expect(() => parseCommand(["status", "--all"])).toThrow(message);
});

test("rejects a deployment without a node or with an invalid checksum", () => {
  const wrongChecksum = WALLET.replace("fC", "FC");
  expect(() => parseCommand(["deploy"])).toThrow(/^--rpc must be/);
  const given = ["deploy", "--rpc", "https://node", "--owner", wrongChecksum, "--recorder", WALLET];
  expect(() => parseCommand(given)).toThrow(/^--owner must be an address/);
});

test("names an unknown kind of work and an invalid id", () => {
  expect(() => parseCommand(["retry", "things"])).toThrow(
    /^things is not a kind of work; .*outcomes, /,
  );
  expect(() => parseCommand(["retry", "outcomes", "17"])).toThrow(/^17 is not an id of outcomes/);
  expect(() => parseCommand(["retry", "jobs", ID])).toThrow(/is not an id of jobs/);
});
