// The operator's command: status of stalled work, requeue, backup, restore, rebuild, keys,
// deployment.
import { exitProcess } from "@/server/lib/process/exit";
import { runOps } from "./ops/run";

// A connection that hangs must not keep the process.
await exitProcess(await runOps(process.argv.slice(2)));
