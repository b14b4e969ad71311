import { BaseError, ExecutionRevertedError } from "viem";
import { registryAbi } from "@/server/chain/abi";
import type { Chain } from "@/server/chain/client";
import { encodeRecords } from "@/server/chain/registry";
import type { Waiting } from "./waiting";

/**
 * Those of `waiting` that the registry would record now, asked without a transaction: all together,
 * and each for itself where that is refused. One that it refuses must not take others down with it.
 * Throws where the node is silent.
 */
export async function acceptable<W extends Waiting>(chain: Chain, waiting: W[]): Promise<W[]> {
  if (waiting.length === 0 || (await wouldRecord(chain, waiting))) return waiting;
  const accepted: W[] = [];
  if (waiting.length === 1) return accepted;
  for (const one of waiting) {
    if (await wouldRecord(chain, [one])) accepted.push(one);
  }
  return accepted;
}

/** Whether the registry lets the service record anything at all. Throws where the node is silent. */
export function mayRecord({ client, registryAddress, recorder }: Chain): Promise<boolean> {
  return client.readContract({
    address: registryAddress,
    abi: registryAbi,
    functionName: "isRecorder",
    args: [recorder.address],
  });
}

async function wouldRecord(chain: Chain, waiting: Waiting[]): Promise<boolean> {
  try {
    await chain.client.call({
      account: chain.recorder.address,
      to: chain.registryAddress,
      ...encodeRecords(waiting.map(({ record }) => record)),
    });
    return true;
  } catch (error) {
    const reverted = (cause: unknown) => cause instanceof ExecutionRevertedError;
    if (error instanceof BaseError && error.walk(reverted)) return false;
    throw error;
  }
}
