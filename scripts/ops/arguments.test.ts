import { expect, test } from "vitest";
import { readCommand } from "./arguments";

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
  [["status", "--all"]],
  [["retry", "outcomes", ID, "more"]],
])("%j is told how it is written", (args) => {
  expect(() => readCommand(args)).toThrow(/^Usage: npm run ops/);
});

test("an unknown kind, and what is no id of it, are named", () => {
  expect(() => readCommand(["retry", "things"])).toThrow(
    /^things is no kind of work: .*outcomes, /,
  );
  expect(() => readCommand(["retry", "outcomes", "17"])).toThrow(/^17 is no id of outcomes/);
  expect(() => readCommand(["retry", "jobs", ID])).toThrow(/is no id of jobs/);
});
