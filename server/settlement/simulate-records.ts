import { type Chain, simulateCall } from "@/server/chain/client";
import { registryAbi } from "@/server/chain/registry/abi";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import type { PendingRecord } from "./pending-records";

/**
 * Returns those of `pending` that the registry would record now, by simulation: all together
 * first, then by halves if that is refused, so that one bad record does not block the others.
 * Throws if the node is unreachable.
 */
export async function filterRecordable(
  chain: Chain,
  pending: PendingRecord[],
): Promise<PendingRecord[]> {
  if (pending.length === 0 || (await canRecord(chain, pending))) return pending;
  return (await isAuthorizedRecorder(chain)) ? filterHalves(chain, pending) : [];
}

/** Filters records of which the registry would refuse at least one. */
async function filterHalves(chain: Chain, refused: PendingRecord[]): Promise<PendingRecord[]> {
  if (refused.length === 1) return [];
  const middle = Math.ceil(refused.length / 2);
  const halves = [refused.slice(0, middle), refused.slice(middle)];
  const recordable: PendingRecord[] = [];
  for (const half of halves) {
    const isAccepted = await canRecord(chain, half);
    recordable.push(...(isAccepted ? half : await filterHalves(chain, half)));
  }
  return recordable;
}

/** Checks if the registry lets the service record at all. Throws if the node is unreachable. */
export function isAuthorizedRecorder(chain: Chain): Promise<boolean> {
  return chain.client.readContract({
    address: chain.registryAddress,
    abi: registryAbi,
    functionName: "isRecorder",
    args: [chain.recorder.address],
  });
}

async function canRecord(chain: Chain, pending: PendingRecord[]): Promise<boolean> {
  const result = await simulateCall(chain.client, {
    account: chain.recorder.address,
    to: chain.registryAddress,
    ...encodeRecords(pending.map(({ record }) => record)),
  });
  return result !== null;
}
