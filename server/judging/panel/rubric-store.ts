import { eq } from "drizzle-orm";
import { hashJson } from "@/server/judging/evidence";
import type { CallRecord, Criterion } from "@/server/judging/schema";
import { rubrics } from "@/server/judging/tables";
import type { Core } from "@/server/lib/context";
import type { Category } from "@/server/lib/schema";
import { PANEL_VERSION } from "./guides";

/** Identifies a rubric: equal values share one rubric. */
export interface RubricFor {
  task: string;
  category: Category;
  model: string;
}

/** Stores rubrics, so that the same task always gets the same criteria. */
export interface RubricStore {
  find(of: RubricFor): Promise<Criterion[] | undefined>;
  /** Returns the stored rubric: of several written concurrently, the first. */
  keep(of: RubricFor, criteria: Criterion[], call: CallRecord): Promise<Criterion[]>;
}

/** Stores rubrics in the database, shared by all processes. */
export function rubricStore({ db }: Pick<Core, "db">): RubricStore {
  const find: RubricStore["find"] = async (of) => {
    const [found] = await db
      .select()
      .from(rubrics)
      .where(eq(rubrics.key, keyOf(of)));
    return found?.criteria;
  };
  return {
    find,
    async keep(of, criteria, call) {
      const row = { key: keyOf(of), category: of.category, criteria, call };
      const [kept] = await db.insert(rubrics).values(row).onConflictDoNothing().returning();
      return kept?.criteria ?? (await find(of)) ?? criteria;
    },
  };
}

/** Returns a read-only view of `store`. */
export const readingStore = (store: RubricStore): RubricStore => ({
  find: store.find,
  keep: async (_of, criteria) => criteria,
});

/** Returns the SHA-256 of the canonical JSON of task, category, model and prompt version. */
function keyOf({ task, category, model }: RubricFor): `0x${string}` {
  return hashJson({ task, category, model, version: PANEL_VERSION });
}
