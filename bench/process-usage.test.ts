import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readCpuMs } from "./process-usage";

const BURNED_MS = 200;
/** Uses 200 ms of CPU, then prints a line. */
const BURN = `while (process.cpuUsage().user < ${BURNED_MS * 1000}); console.log("done");`;
/** The kernel counts in ticks of 10 ms. */
const TICKS_MS = 20;

// Only Linux has /proc.
test.runIf(process.platform === "linux")(
  "CPU time includes children that run and children that ended",
  async () => {
    const before = await readCpuMs(process.pid);
    execFileSync(process.execPath, ["-e", BURN]);
    const afterEnded = await readCpuMs(process.pid);
    expect(afterEnded - before).toBeGreaterThan(BURNED_MS - TICKS_MS);

    const child = spawn(process.execPath, ["-e", `${BURN} setInterval(() => {}, 1000);`]);
    await once(child.stdout, "data");
    const afterRunning = await readCpuMs(process.pid);
    child.kill();
    expect(afterRunning - afterEnded).toBeGreaterThan(BURNED_MS - TICKS_MS);
  },
);
