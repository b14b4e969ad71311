import { agents } from "@/server/agents/tables";
import type { RecordOf } from "@/server/chain/registry/ledger";
import type { Transaction } from "@/server/lib/context";

export const LOST =
  "Imported from the chain: the texts, the reasoning and the evidence were lost with an earlier database.";

type Verdict = RecordOf<"outcome" | "dispute">;

/** Returns whether the database's own verdict is the recorded one. */
export const isRecordedVerdict = (known: { evidenceHash: string | null }, record: Verdict) =>
  known.evidenceHash !== null && known.evidenceHash === record.evidenceHash;

/** The parts of a verdict that a record lacks. */
export const createLostParts = ({ evidenceHash }: Verdict) => ({
  judgeKind: null,
  judgeId: null,
  evidence: null,
  evidenceHash: evidenceHash ?? null,
});

/**
 * Inserts a placeholder for a wallet that submitted, was anchored or took over, and so was registered
 * before. The placeholder keeps its place on the leaderboard until the owner verifies the wallet,
 * which does not count as a takeover.
 */
export async function insertPlaceholderAgent(
  tx: Transaction,
  wallet: string,
  at: Date,
): Promise<void> {
  await tx
    .insert(agents)
    .values({
      wallet,
      name: `${wallet.slice(0, 6)}…${wallet.slice(-4)}`,
      description:
        "Rebuilt from the public ledger. Its owner can register it again with a wallet proof.",
      rebuilt: true,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing();
}

export const toDate = (seconds: number) => new Date(seconds * 1_000);
