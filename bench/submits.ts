import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "./ground";
import { load, type Requests } from "./load";
import type { SeededAgent } from "./populate";
import { inTurn } from "./rounds";
import { submission } from "./submission";

/** Measures submissions per second, accepted by the service and written by the bare server. */
export async function measureSubmits(
  { service, bare }: { service: Server; bare: Server },
  agents: SeededAgent[],
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
) {
  const [toService, toBare] = [submissions(agents), submissions(agents)];
  const measurements = (seconds: number) => ({
    submit: () => load(service.url, seconds, toService),
    bareSubmit: () => load(bare.url, seconds, toBare),
  });
  await inTurn(1, measurements(warmUp));
  return inTurn(rounds, measurements(seconds));
}

/** Uses all agents in turn, so that each stays well below ten submissions per minute. */
function submissions(agents: SeededAgent[]): Requests {
  const of = (index: number) => {
    const agent = agents[index % agents.length];
    if (!agent) throw new Error("There are no agents");
    return agent;
  };
  return { at: 0, draw: (index) => submission(of(index), of(index + 1)), fastest: 3_000 };
}

/**
 * Starts a model endpoint that never responds. With it as judge the service accepts submissions but
 * judges none, so the pipeline uses no CPU; `pipeline.ts` measures that.
 */
export async function startSilentModel(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((req) => req.resume());
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
