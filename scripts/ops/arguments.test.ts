import { expect, test } from "vitest";
import { readCommand } from "./arguments";

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
    { verb: "deploy", rpc: "https://node", owner: WALLET, recorder: WALLET },
  ],
])("%j is a command", (args, command) => {
  expect(readCommand(args)).toEqual(command);
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
])("%j is told how it is written", (args) => {
  expect(() => readCommand(args)).toThrow(/^Usage: npm run ops/);
});

test("an unknown option is named", () => {
  const fault = /^Unknown option '--all'\.\nUsage: npm run ops/;
  expect(() => readCommand(["status", "--all"])).toThrow(fault);
});

test("a deployment wants a node and addresses whose checksums hold", () => {
  const slip = WALLET.replace("fC", "FC");
  expect(() => readCommand(["deploy"])).toThrow(/^--rpc must be/);
  const given = ["deploy", "--rpc", "https://node", "--owner", slip, "--recorder", WALLET];
  expect(() => readCommand(given)).toThrow(/^--owner must be an address/);
});

test("an unknown kind, and what is no id of it, are named", () => {
  expect(() => readCommand(["retry", "things"])).toThrow(
    /^things is no kind of work: .*outcomes, /,
  );
  expect(() => readCommand(["retry", "outcomes", "17"])).toThrow(/^17 is no id of outcomes/);
  expect(() => readCommand(["retry", "jobs", ID])).toThrow(/is no id of jobs/);
});
