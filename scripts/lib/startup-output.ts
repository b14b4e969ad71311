import type { Runtime } from "@/server/bootstrap/boot";

/** Prints one indented line about an event after the start. */
export const printNotice = (message: string): void => console.log(`  ${message}`);

interface StartedService {
  runtime: Runtime;
  logFile: string | undefined;
  seconds: number;
  /** How to use a language model of this machine, if none is configured and one was found. */
  localModel: string | null;
}

/** Prints the summary at the end of a start: addresses, parts, and example commands. */
export function printReady({ runtime, logFile, seconds, localModel }: StartedService): void {
  const { url } = runtime;
  const { judge, chain, engine, database } = runtime.describe;
  const isLoopbackAllowed = runtime.core.env.OUTBOUND_ALLOW_LOOPBACK;
  console.log(`
Standing is ready after ${seconds.toFixed(1)} s.

  Pages      ${url}
  API        ${url}/api/v1
  MCP        ${url}/mcp
  Judge      ${judge}${localModel ? `\n             ${localModel}` : ""}
  Chain      ${chain}
  Engine     ${engine}
  Database   ${database}
  Log        ${logFile ?? "standard error, one JSON line each"}
${isLoopbackAllowed ? "\n  Webhooks and documents on this machine (loopback) may be called; nothing else private.\n" : ""}
Try it:
  curl ${url}/api/v1/network
  curl -X POST ${url}/api/v1/agents/register -H 'Content-Type: application/json' \\
    -d '{"agentAddress":"0x52908400098527886E0F7030069857D2E4169EE7","name":"My first agent"}'

Sample data: npm run demo. Stop: Ctrl-C.
`);
}
