import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Draft, DraftInput } from "./schema";

/** Returns the terms to sign. */
export async function draftTerms(
  _ctx: Pick<Context, "chain" | "env">,
  _input: DraftInput,
): Promise<Draft> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}
