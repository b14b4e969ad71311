import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { idSchema, txHashSchema } from "@/server/lib/schema";
import { walletSchema } from "@/server/lib/wallet";
import { toEntry } from "./entry";
import { findAgents } from "./queries";
import { runPlanned } from "./run";
import type { Found } from "./schema";
import { readTraits } from "./traits";
import { publicOutcomes, readWalletOutcomes } from "./wallet-outcomes";

const SHOWN = 5;
const NOTHING = { outcomes: [], totalOutcomes: 0, disputes: [], anchorSeqs: [] };

/**
 * Returns the results of the pages' search: agents by name, description or address and, if the term
 * is an id, a transaction hash or a complete address, the outcomes and disputes it refers to.
 */
export async function find(
  db: Database,
  { q, page, size }: { q?: string | undefined; page: number; size: number },
  now: Date,
): Promise<Found> {
  const [agents, others] = await Promise.all([
    findAgents(db, { q, sort: "score", page, size }),
    q ? findOthers(db, q) : NOTHING,
  ]);
  const traits = await readTraits(db, agents.rows, now);
  return {
    agents: {
      content: agents.rows.map((row) => ({ ...toEntry(row), rank: null, ...traits(row) })),
      totalElements: agents.total,
      totalPages: Math.ceil(agents.total / size),
      page,
      size,
    },
    ...others,
  };
}

async function findOthers(db: Database, q: string): Promise<Omit<Found, "agents">> {
  if (idSchema.safeParse(q).success) return byId(db, q);
  if (txHashSchema.safeParse(q).success) return byTransaction(db, q.toLowerCase());
  const wallet = walletSchema.safeParse(q);
  if (!wallet.success) return NOTHING;
  const walletAddress = wallet.data;
  const { content, totalElements } = await readWalletOutcomes(db, {
    walletAddress,
    page: 0,
    size: SHOWN,
  });
  const outcomes = content.map(({ backing, ...outcome }) => outcome);
  return { ...NOTHING, outcomes, totalOutcomes: totalElements };
}

async function byId(db: Database, id: string): Promise<Omit<Found, "agents">> {
  const [outcomes, disputes] = await Promise.all([
    publicOutcomes(db, [id]),
    disputesWhere(db, sql`id = ${id}`),
  ]);
  return { ...NOTHING, outcomes, totalOutcomes: outcomes.length, disputes };
}

/** Searches by the transaction's ledger records: one transaction may record several verdicts. */
async function byTransaction(db: Database, txHash: string): Promise<Omit<Found, "agents">> {
  const records = await runPlanned<{ seq: string | number; type: string; id: string | null }>(
    db,
    sql`select seq, type, outcome_id as id from ledger_records where tx_hash = ${txHash}
      order by seq`,
  );
  const ids = (type: string) =>
    records.flatMap((record) => (record.type === type && record.id ? [record.id] : []));
  const ofOutcomes = ids("outcome");
  const ofDisputes = ids("dispute").slice(0, SHOWN);
  return {
    outcomes: await publicOutcomes(db, ofOutcomes.slice(0, SHOWN)),
    totalOutcomes: ofOutcomes.length,
    disputes:
      ofDisputes.length > 0
        ? await disputesWhere(
            db,
            sql`outcome_id in (${sql.join(
              ofDisputes.map((id) => sql`${id}`),
              sql`, `,
            )})`,
          )
        : [],
    anchorSeqs: records
      .filter(({ type }) => type === "anchor" || type === "anchor-revoked")
      .map(({ seq }) => Number(seq)),
  };
}

async function disputesWhere(db: Database, condition: ReturnType<typeof sql>) {
  const rows = await runPlanned<{ id: string; outcomeId: string; openedAt: string | Date }>(
    db,
    sql`select id, outcome_id as "outcomeId", opened_at as "openedAt" from disputes
      where ${condition} order by opened_at desc`,
  );
  return rows.map(({ id, outcomeId, openedAt }) => ({
    disputeId: id,
    outcomeId,
    openedAt: new Date(openedAt).toISOString(),
  }));
}
