import type { z } from "zod";
import type { AuthenticatedAgent } from "@/server/agents/authenticate";
import type { CheckedDeliverable } from "@/server/judging/requirements/schema";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { checkInput, checkRequirementsInput } from "./schema";

/** Decides an agreement's requirements on a deliverable for one of its parties. Stores nothing. */
export async function checkAgreed(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _input: z.infer<typeof checkInput>,
): Promise<CheckedDeliverable> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}

/** Decides requirements on a deliverable. Stores nothing. */
export async function checkRequirements(
  _ctx: Context,
  _agent: AuthenticatedAgent,
  _input: z.infer<typeof checkRequirementsInput>,
): Promise<CheckedDeliverable> {
  throw new AppError("unavailable", "Agreements are not available yet.");
}
