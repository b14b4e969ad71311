/** The part of autocannon that `load.ts` and `soak/soak.ts` use; the package has no types. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";
  import type { HttpRequest } from "@/bench/load";

  interface Client {
    /** Requests that this client sends, in a run of an `amount`. */
    responseMax?: number;
    setRequests(requests: HttpRequest[]): void;
  }
  interface Result {
    errors: number;
    timeouts: number;
    non2xx: number;
    statusCodeStats: Record<string, { count: number }>;
  }
  interface Options {
    url: string;
    connections: number;
    /** Total number of requests; overrides `duration`. */
    amount?: number;
    /** Seconds. */
    duration?: number;
    /** Request timeout in seconds. */
    timeout?: number;
    /** Milliseconds between samples; the end of a run is detected at a sample. */
    sampleInt?: number;
    setupClient(client: Client): void;
  }
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
