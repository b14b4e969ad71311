import { afterAll, expect, test } from "vitest";
import { MINUTE_MS } from "@/server/lib/time";
import { closeWorkerPool, inWorker } from "./worker-pool";

const MODULE = "server/testing/process/worker-tasks.ts";
const echo = inWorker<[unknown], unknown>(MODULE, "echo");
const fill = inWorker<[], never>(MODULE, "fill", { timeMs: MINUTE_MS });

afterAll(() => closeWorkerPool());

test("stops a call that exceeds the memory limit", async () => {
  expect(await fill()).toEqual({ ok: false, limit: "memory" });
  expect(await echo(1)).toEqual({ ok: true, value: 1 });
});
