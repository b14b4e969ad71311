import { randomBytes, randomUUID } from "node:crypto";
import { createWalletClient, type Hex, http } from "viem";
import type { Chain } from "@/server/chain/client";
import type { OutcomeRecord } from "@/server/chain/ledger";
import { encodeRecords } from "@/server/chain/registry";
import { CATEGORIES } from "@/server/lib/schema";
import { minedReceipt } from "@/server/local/mined-receipt";

/** Gas of one EAS `attest`, whose event does not even hold the verdict: measured on Base's own contract. */
export const EAS_ATTEST_GAS = 347_000;

const SIZES = { "gas.single": 1, "gas.batch10": 10, "gas.batch50": 50 } as const;

/** Gas a verdict, recorded alone and in batches, on a chain whose registry has records already. */
export async function measureGas(chain: Chain): Promise<Record<keyof typeof SIZES, number>> {
  // The first record of a registry is dearer once: its head and count leave zero.
  await gasOf(chain, 1);
  const measured = { "gas.single": 0, "gas.batch10": 0, "gas.batch50": 0 };
  for (const [name, size] of Object.entries(SIZES)) {
    measured[name as keyof typeof SIZES] = Math.round((await gasOf(chain, size)) / size);
  }
  return measured;
}

async function gasOf(chain: Chain, size: number): Promise<number> {
  const wallet = createWalletClient({
    account: chain.recorder,
    chain: chain.client.chain,
    transport: http(chain.client.chain?.rpcUrls.default.http[0]),
  });
  const records = Array.from({ length: size }, (_, i) => typicalOutcome(i));
  const hash = await wallet.sendTransaction({
    chain: wallet.chain,
    to: chain.registryAddress,
    ...encodeRecords(records),
  });
  const receipt = await minedReceipt(chain.client, hash);
  if (receipt.status !== "success") throw new Error(`Recording ${size} verdicts was refused`);
  return Number(receipt.gasUsed);
}

const random = (size: number): Hex => `0x${randomBytes(size).toString("hex")}`;

/** A record as settlement would sign it, of an outcome that nobody submitted. */
export function typicalOutcome(i: number): OutcomeRecord {
  return {
    type: "outcome",
    id: randomUUID(),
    contractor: random(20),
    requester: random(20),
    category: CATEGORIES[i % CATEGORIES.length] ?? "ops",
    valueMicro: 25_500_000,
    paidMicro: i % 2 ? 25_500_000 : 0,
    submittedBy: "contractor",
    proven: true,
    verdict: "SUCCESS",
    confPpm: 912_345,
    resolvedAt: Math.floor(Date.now() / 1000),
    evidenceHash: random(32),
  };
}
