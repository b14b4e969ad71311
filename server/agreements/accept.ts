import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { AcceptInput, Agreement } from "./schema";

/** Adds the other party's signature. */
export async function acceptAgreement(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _input: AcceptInput,
): Promise<Agreement> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}
