import { createPublicClient } from "viem";
import { createNodeTransport, LONG_READ } from "@/server/chain/node-transport";
import { readRegistry } from "@/server/chain/registry/read-registry";
import { describeRecord } from "@/server/chain/registry/record-encodings";
import { describeFailure, readShownRecords } from "./service-client";
import { type VerifierReport, type VerifierRequest, verifyWallet } from "./verify-wallet";

const BETWEEN_ATTEMPTS_MS = 2_000;

const report = (message: VerifierReport) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<VerifierRequest>) => {
  verify(data).catch((error: unknown) => {
    report({ type: "error", message: describeFailure(error, data.node) });
  });
});

async function verify({ wallet, registry, usdc, chainId, node, origin }: VerifierRequest) {
  const transport = createNodeTransport(node, LONG_READ);
  const client = createPublicClient({ transport });
  const found = await client.getChainId();
  if (found !== chainId) {
    throw new Error(`The node is on chain ${found}, the service records on chain ${chainId}.`);
  }
  const verification = await verifyWallet(wallet, {
    readLedger: () =>
      readRegistry({
        client,
        address: registry as `0x${string}`,
        onProgress: (blocks, allBlocks, { read, total }) =>
          report({ type: "progress", blocks, allBlocks, records: read, allRecords: total }),
      }),
    readShown: () => readShownRecords(origin, wallet),
    chain: { id: chainId, client, registryAddress: registry, usdcAddress: usdc },
    pause: () => new Promise((resolve) => setTimeout(resolve, BETWEEN_ATTEMPTS_MS)),
    getTime: () => new Date(),
  });
  const differences = verification.differences.map(({ records, ...difference }) => ({
    ...difference,
    records: records.map(({ record, place: { seq, txHash } }) => {
      return { seq, txHash, description: describeRecord(record) };
    }),
  }));
  report({ type: "result", verification: { ...verification, differences } });
}
