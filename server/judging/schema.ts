import { z } from "zod";
import { timestampSchema } from "@/server/lib/schema";

export type { BenchRun } from "./bench-result";

/** Safe for the browser: what is told of a judgement, and how a judge's parts speak to each other. */

export const metSchema = z.enum(["yes", "no", "partial", "cannot_verify"]);
export type Met = z.infer<typeof metSchema>;

/**
 * One line of a rubric. A `must` decides, a `should` only tells. `absence`: it asks that something
 * not be there, which no quotation can prove.
 */
export const criterionSchema = z.strictObject({
  id: z.string().min(1).max(40),
  text: z.string().min(1).max(500),
  kind: z.enum(["must", "should"]),
  proof: z.enum(["quote", "absence"]),
});
export type Criterion = z.infer<typeof criterionSchema>;

/** What asks for more votes and never decides. */
export const flagSchema = z.enum([
  /** A vote says that the material tries to steer it. */
  "injection-suspected",
  /** The code's own detector found words that address a judge. */
  "injection-detected",
  /** A vote did not repeat the word that it was asked to repeat. */
  "canary-lost",
  /** Letters of several scripts that look alike within one word. */
  "confusables",
  /** The text carried characters that a reader does not see. */
  "hidden-characters",
  /** Unicode normalisation would have multiplied the text, so it was judged without it. */
  "not-normalised",
]);
export type Flag = z.infer<typeof flagSchema>;

export const escalationSchema = z.strictObject({
  reasons: z.array(z.enum(["dissent", "unverified-must", "flag", "high-value", "no-answer"])),
  model: z.string(),
});
export type Escalation = z.infer<typeof escalationSchema>;

/** How an endpoint was made to answer in the wanted form, best first. */
export const structuredOutputSchema = z.enum(["json_schema", "json_object", "prompt"]);
export type StructuredOutput = z.infer<typeof structuredOutputSchema>;

/** One answered question to a model, as it went over the wire. */
export const callRecordSchema = z.strictObject({
  purpose: z.enum(["rubric", "vote", "escalated-vote", "control", "review"]),
  requestedModel: z.string(),
  returnedModel: z.string().nullable(),
  /** Of the base URL. */
  host: z.string(),
  structuredOutput: structuredOutputSchema,
  /** Parameters really sent, beside messages and form of the answer. */
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  /** SHA-256 of the prompt's template: the messages without the texts of this case. */
  promptHash: z.string(),
  finishReason: z.string().nullable(),
  tokens: z.strictObject({ input: z.int(), cachedInput: z.int(), output: z.int() }).nullable(),
  latencyMs: z.int(),
  /** By the configured prices or the endpoint's own word; null where neither is known. */
  costUsd: z.number().nullable(),
  /** Requests it took, refused parameters and repetitions included. */
  tries: z.int(),
});
export type CallFacts = z.infer<typeof callRecordSchema>;
/** `raw` is the model's text, which may quote the parties'. */
export type CallRecord = CallFacts & { raw: string };

/** What one vote said of one criterion, after its quotation was looked up. */
export interface VoteFinding {
  id: string;
  met: Met;
  quote: string;
  finding: string;
  /** Whether the quotation stands in what the vote was shown. */
  standing: boolean;
}

/** One vote, as it is kept. Findings are empty where the model gave no usable answer. */
export interface KeptVote {
  call: CallRecord;
  /** Ids of the criteria in the order in which this vote was asked. */
  order: string[];
  /** `refusal`, `unusable`: counts as unverified on every criterion. */
  outcome: "answer" | "refusal" | "unusable";
  findings: VoteFinding[];
  injectionSuspected: boolean;
  canaryKept: boolean;
  summary: string;
  /** Only kept: the verdict is drawn by code. */
  modelVerdict: string;
}

/** A judgement as everybody may read it: no quotation and no text of task or deliverable. */
export const publicJudgementSchema = z.object({
  outcomeId: z.string(),
  judge: z.object({
    kind: z.enum(["heuristic", "llm", "gate"]),
    id: z.string(),
    version: z.string(),
  }),
  verdict: z.enum(["SUCCESS", "FAILURE"]),
  confidence: z.number().describe("0 to 1"),
  calibration: z.string().nullable(),
  findings: z.array(
    z.object({
      id: z.string(),
      text: z
        .string()
        .nullable()
        .describe("Null where its words repeat the task: the parties read it with their key"),
      note: z.string().nullable().describe("What was observed; null likewise"),
      kind: z.enum(["must", "should"]).nullable(),
      met: metSchema,
      votes: z.record(metSchema, z.int()).nullable(),
    }),
  ),
  votes: z.array(
    callRecordSchema.omit({ parameters: true, costUsd: true }).extend({
      outcome: z.enum(["answer", "refusal", "unusable"]),
      met: z.record(z.string(), metSchema).describe("By id of the finding"),
    }),
  ),
  flags: z.array(flagSchema),
  escalation: escalationSchema.nullable(),
  shortened: z
    .object({ shown: z.int(), of: z.int() })
    .nullable()
    .describe("Characters of the deliverable that were judged, where that was not all"),
  hashes: z.record(z.string(), z.string()).describe("Salted where they stand for private texts"),
  evidenceHash: z.string(),
  durationMs: z.int(),
  judgedAt: z.string(),
});
export type PublicJudgement = z.infer<typeof publicJudgementSchema>;

/** As a party reads it: everything that is kept, with the texts. */
export const partyJudgementSchema = publicJudgementSchema.extend({
  private: z
    .object({
      rubric: z.array(criterionSchema),
      findings: z.array(
        z.object({
          id: z.string(),
          text: z.string(),
          quote: z.string().nullable(),
          note: z.string().nullable(),
        }),
      ),
      votes: z.array(
        z.object({
          order: z.array(z.string()),
          raw: z.string(),
          findings: z.array(
            z.object({
              id: z.string(),
              met: metSchema,
              quote: z.string(),
              finding: z.string(),
              standing: z.boolean(),
            }),
          ),
          injectionSuspected: z.boolean(),
          canaryKept: z.boolean(),
          summary: z.string(),
          modelVerdict: z.string(),
          parameters: z.record(z.string(), z.union([z.string(), z.number()])),
          costUsd: z.number().nullable(),
        }),
      ),
      calls: z.array(callRecordSchema.extend({ raw: z.string() })),
      unsaltedHashes: z.record(z.string(), z.string()),
    })
    .optional(),
});
export type PartyJudgement = z.infer<typeof partyJudgementSchema>;

/** The judge that decides new outcomes, and whether it answers. */
export const judgeInServiceSchema = z
  .object({
    kind: z.enum(["heuristic", "llm"]),
    id: z.string().meta({ description: "Model id, or the built-in judge by name" }),
    version: z.string().meta({ description: "Of its method, prompts and guides" }),
    calibration: z
      .string()
      .nullable()
      .meta({ description: "Version of the table that turns vote shares into the confidence" }),
    note: z.string(),
    status: z.enum(["ok", "unavailable"]),
    since: timestampSchema.nullable().meta({ description: "Since when it has not answered" }),
    reason: z.string().nullable(),
  })
  .meta({ id: "JudgeInService" });
export type JudgeInService = z.infer<typeof judgeInServiceSchema>;
