import type postgres from "postgres";
import type { Transaction } from "@/server/lib/context";

/** Returns `tx.sql`, for callers that are not changed yet. */
export const underlyingConnection = (tx: Transaction): postgres.TransactionSql => tx.sql;
