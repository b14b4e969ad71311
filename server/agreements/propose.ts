import type { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Agreement, proposeInput } from "./schema";

/** Stores signed terms. */
export async function proposeAgreement(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _input: z.infer<typeof proposeInput>,
): Promise<Agreement> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}
