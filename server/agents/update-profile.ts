import { eq, sql } from "drizzle-orm";
import type { Context } from "@/server/lib/context";
import type { AuthenticatedAgent } from "./authenticate";
import { unauthenticated } from "./authenticate";
import type { ProfileInput } from "./schema";
import { agents } from "./tables";

/** Replaces what an agent says of itself. */
export async function updateProfile(
  { db }: Pick<Context, "db">,
  agent: AuthenticatedAgent,
  profile: ProfileInput,
): Promise<void> {
  const rows = await db
    .update(agents)
    .set({
      name: profile.name,
      description: profile.description,
      categories: profile.categories,
      ownerEmail: profile.ownerEmail,
      updatedAt: sql`now()`,
    })
    .where(eq(agents.id, agent.id))
    .returning({ id: agents.id });
  // Taken over since it was authenticated.
  if (rows.length === 0) throw unauthenticated();
}
