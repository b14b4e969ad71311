import type { CheckRunner } from "@/server/judging/checks/run-checks";
import type { AskModel } from "@/server/judging/model-client/ask";
import type { CallRecord, Criterion, Reference } from "@/server/judging/schema";
import type { Category } from "@/server/lib/schema";
import type { Calibration } from "./calibration";
import type { RandomBytes } from "./prompts/randomness";

/** Dependencies shared by the parts of a panel. */
export interface Panel {
  ask: AskModel;
  model: string;
  /** The second model; equal to `model` if there is only one. */
  escalationModel: string;
  runChecks: CheckRunner;
  /** Null writes a new rubric for every judgement. */
  rubrics: RubricStore | null;
  randomBytes: RandomBytes;
  calibration: Calibration;
}

/** Identifies a rubric: equal values share one rubric. */
export interface RubricKey {
  task: string;
  category: Category;
  model: string;
}

export interface StoredRubric {
  criteria: Criterion[];
  reference: Reference;
}

/** Stores rubrics, so that the same task always gets the same criteria. */
export interface RubricStore {
  find(key: RubricKey): Promise<StoredRubric | undefined>;
  /** Returns the stored rubric: of several written concurrently, the first. */
  insert(key: RubricKey, rubric: StoredRubric, calls: CallRecord[]): Promise<StoredRubric>;
}
