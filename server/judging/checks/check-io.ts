import type { CheckIo } from "./check";
import { executeCode } from "./code/sandbox/execute-code";
import { createCitedPageFetch } from "./sources/fetch-cited-page";

/**
 * Creates the IO of checks: the guarded fetch and the code sandbox. `allowLoopback` permits fetching
 * pages from this machine.
 */
export function createCheckIo(options: { allowLoopback: boolean }): CheckIo {
  return {
    fetchCitedPage: createCitedPageFetch(options),
    runCode: executeCode,
  };
}
