import { z } from "zod";
import { idSchema, timestampSchema } from "@/server/lib/schema";
import { createFieldErrors } from "@/server/lib/to-app-error";

/** Position in a list of agreements, newest first; times have milliseconds, in the database too. */
export interface AgreementPosition {
  proposedAt: Date;
  id: string;
}

const position = z.tuple([timestampSchema, idSchema]);

/** Returns the cursor of the page after an agreement. */
export const toCursor = ({ proposedAt, id }: AgreementPosition): string =>
  Buffer.from(JSON.stringify([proposedAt, id])).toString("base64url");

/** Returns the position that a cursor names. Throws `invalid-request`. */
export function parseCursor(cursor: string): AgreementPosition {
  const parsed = position.safeParse(decode(cursor));
  if (parsed.success) return { proposedAt: new Date(parsed.data[0]), id: parsed.data[1] };
  const detail = "must be the `nextCursor` of a page, unchanged";
  throw createFieldErrors([{ pointer: "#/query/cursor", detail, code: "invalid-value" }]);
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return null;
  }
}
