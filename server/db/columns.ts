import { sql } from "drizzle-orm";
import { char, customType, timestamp, uuid } from "drizzle-orm/pg-core";

/** Time-ordered UUID made by Postgres (version 7), so that indexes grow at one end. */
export const id = () => uuid().primaryKey().default(sql`uuidv7()`);

export const createdAt = () =>
  timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow();

export const moment = () => timestamp({ withTimezone: true, precision: 3 });

/** Wallet address in EIP-55 form (`lib/wallet.ts`). */
export const wallet = () => char({ length: 42 });

/** 32 bytes as 0x and 64 lowercase hexadecimal characters. */
export const hash32 = () => char({ length: 66 });

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => "bytea",
});
