import { execFile } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
import { closeSync, openSync } from "node:fs";
import { watchFileDescriptors } from "./server/lib/process/file-descriptors.ts";
const opened = [];
const fill = () => {
  try {
    for (;;) opened.push(openSync("/dev/null"));
  } catch {}
};
const alive = setInterval(() => {}, 1_000);
const stop = watchFileDescriptors((areExhausted) => {
  console.log(areExhausted ? "exhausted" : "available");
  if (areExhausted) for (const file of opened) closeSync(file);
  else stop(clearInterval(alive));
}, 10);
fill();
// As connections that are closed leave some.
for (const file of opened.splice(-4)) closeSync(file);
`;

test("reports when the descriptors are exhausted, and when there are some again", async () => {
  const limited = `ulimit -n 64 && exec "$0" --input-type=module --eval "$1"`;
  const printed = await new Promise((resolve) => {
    const args = ["-c", limited, process.execPath, PROGRAM];
    execFile("sh", args, (_error, stdout) => resolve(stdout));
  });
  expect(printed).toBe("exhausted\navailable\n");
});
