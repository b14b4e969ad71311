import { and, eq } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import type { Anchor } from "@/server/reputation/anchors";
import { anchors } from "@/server/reputation/tables";
import { lockSigning } from "./sign-pending";
import { recordings } from "./tables";

/** `withdrawn`: revoked before it was signed, so it is never recorded. */
export type AnchorProgress = "waiting" | "recorded" | "withdrawn";

/** Returns the progress of an anchor's record or, if it was revoked, of its revocation. */
export function getAnchorProgress(
  db: Database,
  anchorId: string,
): Promise<{ progress: AnchorProgress; anchor: Anchor }> {
  return db.transaction(async (tx) => {
    const find = () => tx.select().from(anchors).where(eq(anchors.id, anchorId));
    let [anchor] = await find();
    if (!anchor) throw new Error(`there is no anchor ${anchorId}`);
    if (anchor.revokeAskedAt && anchor.seq === null) {
      // A concurrent signer may have selected it before it was revoked.
      await lockSigning(tx);
      const isAnchorRecord = and(eq(recordings.kind, "anchor"), eq(recordings.subjectId, anchorId));
      const signed = await tx.$count(recordings, isAnchorRecord);
      [anchor = anchor] = await find();
      if (signed === 0) return { progress: "withdrawn", anchor };
    }
    const recorded = anchor.revokeAskedAt ? anchor.revokedSeq : anchor.seq;
    return { progress: recorded === null ? "waiting" : "recorded", anchor };
  });
}
