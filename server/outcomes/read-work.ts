import { isUtf8 } from "node:buffer";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import { READABLE_MS } from "@/server/agreements/periods";
import { findDelivered } from "@/server/judging/documents/read-deliverable";
import { listDocuments } from "@/server/judging/queries";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import type { OutcomeRow } from "./public-outcome";
import { requireOutcome } from "./queries";
import type { Deliverable, OutcomePages } from "./schema";

/** Returns when an outcome that can still be read at `now` was resolved at the earliest. */
export const getReadableSince = ({ env }: Pick<Core, "env">, now = new Date()): Date =>
  new Date(now.getTime() - env.DISPUTE_WINDOW - READABLE_MS);

type Reader = Pick<AuthenticatedAgent, "wallet" | "walletVerified">;

/**
 * Returns whether an agent may read the private texts of an outcome. Under an agreement, the requester
 * may once the work succeeded or was paid: otherwise terms that no work meets would get it work for
 * nothing.
 */
export function mayReadWork(row: OutcomeRow, { wallet, walletVerified }: Reader): boolean {
  const isSubmitter = wallet === row[row.submittedBy];
  const hasSucceeded = row.finalVerdict === "SUCCESS" && row.assessed === true;
  const isOpen = !row.agreed || row.paidMicro > 0n || hasSucceeded;
  const isParty = wallet === row.contractor || wallet === row.requester;
  return walletVerified && isParty && (isSubmitter || isOpen);
}

/**
 * Returns the bytes that were judged to a party that may read them. Throws `forbidden` for all others, and
 * `not-found` if there are none or their time is over.
 */
export async function readWork(
  core: Pick<Core, "db" | "env">,
  reader: Reader,
  outcomeId: string,
): Promise<Deliverable> {
  const { row, mayRead } = await requireWork(core, reader, outcomeId);
  if (!mayRead) {
    const detail =
      "The client can read the deliverable once the work has succeeded, or if it paid upfront. The outcome has the result of each requirement.";
    throw new AppError("forbidden", detail);
  }
  const source = { subjectId: row.id, content: row.deliverableContent, url: row.deliverableUrl };
  const found = await findDelivered(core.db, source);
  if (!found) throw new AppError("not-found", "No deliverable is stored.");
  const { bytes, url: deliverableUrl, mediaType } = found;
  const encoding = isUtf8(bytes) ? "utf-8" : "base64";
  const deliverableContent = bytes.toString(encoding);
  const measured = { bytes: bytes.length, sha256: sha256(bytes) };
  return { outcomeId, deliverableContent, encoding, deliverableUrl, mediaType, ...measured };
}

/**
 * Lists the stored pages that the result rests on; without addresses and contents, which are part of the
 * deliverable, to a party that may not read it. Throws as `readWork`.
 */
export async function listPages(
  core: Pick<Core, "db" | "env">,
  reader: Reader,
  outcomeId: string,
): Promise<OutcomePages> {
  const { row, mayRead } = await requireWork(core, reader, outcomeId);
  const pages = await listDocuments(core.db, row.id);
  const hidden = mayRead ? {} : { url: null, finalUrl: null, content: null };
  return {
    outcomeId,
    pages: pages.map(({ fetchedAt, ...page }) => ({
      ...page,
      ...hidden,
      fetchedAt: fetchedAt.toISOString(),
    })),
  };
}

/** Returns an outcome to a party, and whether it may read the work. */
async function requireWork(core: Pick<Core, "db" | "env">, reader: Reader, outcomeId: string) {
  const row = await requireOutcome(core.db, outcomeId);
  if (!reader.walletVerified || ![row.contractor, row.requester].includes(reader.wallet)) {
    throw new AppError("forbidden", "Only its two parties can read it, with verified wallets.");
  }
  if (row.resolvedAt && row.resolvedAt < getReadableSince(core)) {
    const detail = "It could be read until 30 days after the end of the dispute window.";
    throw new AppError("not-found", detail);
  }
  return { row, mayRead: mayReadWork(row, reader) };
}
