import { z } from "zod";
import { idSchema, judgeSetupSchema, timestampSchema, verdictSchema } from "@/server/lib/schema";

/** Safe for the browser: public shapes of a judgement, and types shared by the judge's parts. */

export const metSchema = z
  .enum(["yes", "no", "unclear"])
  .meta({ id: "Met", description: "Whether a demand is met" });
export type Met = z.infer<typeof metSchema>;

/** What was noticed about the texts. It decides nothing. */
export const flagSchema = z.enum(["manipulation", "hidden-characters", "not-normalised"]).meta({
  id: "JudgementFlag",
  description:
    "manipulation: an examination reports that the work addresses whoever examines it; hidden-characters: the text contained invisible characters, which were removed; not-normalised: Unicode normalisation would have multiplied the text's length, so it was skipped.",
});
export type Flag = z.infer<typeof flagSchema>;

/** How an endpoint was made to return structured output, strictest first. */
export const structuredOutputSchema = z.enum(["json_schema", "json_object", "prompt"]);
export type StructuredOutput = z.infer<typeof structuredOutputSchema>;

const tokenCountsSchema = z
  .strictObject({
    input: z.int().describe("Tokens of the prompt"),
    cachedInput: z.int().describe("Those of them that the endpoint had cached"),
    output: z.int().describe("Tokens of the answer"),
  })
  .meta({ id: "TokenCounts" });

/** One answered model call, as sent and received. */
export const callRecordSchema = z.strictObject({
  purpose: z
    .enum(["examination", "review", "probe"])
    .describe(
      "What the call was for; probe: a harmless question that shows whether the model responds",
    ),
  requestedModel: z.string().describe("Model id, as requested"),
  returnedModel: z.string().nullable().describe("Model id, as reported by the endpoint"),
  host: z.string().describe("Host of the endpoint"),
  structuredOutput: structuredOutputSchema.describe("How structured output was requested"),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe("Parameters that were sent, besides messages and response format"),
  promptHash: z
    .string()
    .describe("SHA-256 of the prompt template: the messages without the texts of this case"),
  finishReason: z.string().nullable().describe("Why the model stopped, as reported"),
  tokens: tokenCountsSchema.nullable().describe("Null if the endpoint reported none"),
  latencyMs: z.int().describe("Duration in milliseconds"),
  costUsd: z
    .number()
    .nullable()
    .describe("From the configured prices or the endpoint's own figure; null if neither is known"),
  tries: z.int().describe("Number of requests, including rejected parameters and retries"),
});
/** `raw` is the model's text, which may quote the parties' texts. */
export type CallRecord = z.infer<typeof callRecordSchema> & { raw: string };

const demandSchema = z
  .object({
    demand: z.string().describe("What the task demands, or a signed criterion word for word"),
    met: metSchema,
    why: z.string().describe("What was found, in one sentence"),
    quote: z.string().describe("The passage of the deliverable that it rests on"),
  })
  .meta({ id: "Demand" });
export type Demand = z.infer<typeof demandSchema>;

const examinationOutcomeSchema = z
  .enum(["answer", "refusal", "unusable"])
  .describe("A refusal or an unusable answer, even when asked once more, has no verdict");

const examinedSchema = z.object({
  outcome: examinationOutcomeSchema,
  verdict: verdictSchema.nullable().describe("Null without an answer, and under an agreement"),
  confidence: z.number().nullable().describe("As stated by the model, 0.5 to 1"),
  manipulation: z.boolean().describe("Whether the work addresses whoever examines it"),
});
const examinationWords = {
  demands: z.array(demandSchema).describe("What the task demands, and whether it is met"),
  reasoning: z.string().describe("The model's two sentences on the whole work"),
};

/** One examination, as stored. `demands` is empty if the model gave no answer that can be read. */
export interface StoredExamination extends z.infer<typeof examinedSchema> {
  call: CallRecord;
  demands: Demand[];
  reasoning: string;
}

const findingId = z.string().describe("Identifies the demand within the judgement");

const findingSchema = z
  .object({
    id: findingId,
    text: z
      .string()
      .nullable()
      .describe(
        "What was demanded; if its words repeat the task, what it is about. The parties can read it with their key",
      ),
    note: z.string().nullable().describe("What was found; null if it repeats private text"),
    met: metSchema,
  })
  .meta({
    id: "Finding",
    description: "A demand of the task and whether the deliverable meets it",
  });

const checkResultSchema = z
  .object({
    id: z.string().describe("Identifies the check within the judgement"),
    check: z.string().describe("Name of the check"),
    text: z.string().describe("The requirement"),
    stated: z.boolean().describe("Whether the task states it; else all work is held to it"),
    outcome: z.enum(["pass", "fail", "not-applicable"]).describe("Result of the check"),
    observed: z.string().describe("What was found, without words of the parties"),
  })
  .meta({ id: "CheckResult" });

const examinationSchema = callRecordSchema
  .omit({ parameters: true, costUsd: true })
  .extend(examinedSchema.shape)
  .meta({ id: "Examination", description: "One examination, with the model call behind it" });

/** A judgement in its public form, which quotes neither task nor deliverable. */
export const publicJudgementSchema = z.object({
  outcomeId: idSchema,
  judge: z
    .object({
      kind: z
        .enum(["heuristic", "llm", "gate"])
        .describe(
          "heuristic: code, by checks or by agreed requirements; llm: a language model; gate: the work needed no look",
        ),
      id: z.string().describe("Model id, or the name of what decided"),
      version: z.string().describe("Version of its method and prompts"),
    })
    .meta({ id: "JudgementJudge", description: "The judge that decided" }),
  verdict: verdictSchema,
  confidence: z.number().describe("0 to 1"),
  calibration: z
    .string()
    .nullable()
    .describe("Version of the table behind the confidence; null if there is none"),
  findings: z.array(findingSchema).describe("Every demand with its result"),
  checks: z.array(checkResultSchema).describe("What code checked, without a model"),
  examinations: z
    .array(examinationSchema)
    .describe("Two, or three if the first two do not agree; none without a model"),
  flags: z.array(flagSchema).describe("Reasons for caution; they decide nothing"),
  shortened: z
    .object({
      shown: z.int().describe("Characters that were judged"),
      of: z.int().describe("Characters of the deliverable"),
    })
    .nullable()
    .describe("Null if the whole deliverable was judged"),
  hashes: z.record(z.string(), z.string()).describe("Salted if they are hashes of private texts"),
  evidenceHash: z.string().describe("SHA-256 of `evidence` of the outcome"),
  durationMs: z.int().describe("Duration of the judgement in milliseconds"),
  judgedAt: timestampSchema,
});
export type PublicJudgement = z.infer<typeof publicJudgementSchema>;

const rawAnswer = z.string().describe("The model's text, as received");

/** A judgement as a party reads it: everything that is stored, including private texts. */
export const partyJudgementSchema = publicJudgementSchema
  .extend({
    private: z
      .object({
        findings: z
          .array(
            z.object({
              id: findingId,
              text: z.string().describe("What was demanded"),
              quote: z.string().nullable().describe("The quotation that shows it"),
              note: z.string().nullable().describe("What was observed"),
            }),
          )
          .describe("The findings with their private texts"),
        checks: z
          .array(
            z.object({
              id: z.string().describe("Id of the check's result"),
              parameters: z.unknown().describe("As the check defines them"),
              statement: z.string().describe("The words of the task; empty for a general check"),
              detail: z.string().nullable().describe("What was found, with words of the parties"),
              passages: z
                .array(
                  z.object({
                    from: z.int().describe("First position"),
                    to: z.int().describe("Position after the last"),
                  }),
                )
                .describe("Offsets in the canonical deliverable, in UTF-16 units"),
            }),
          )
          .describe("The checks with their private texts"),
        examinations: z
          .array(
            z.object({
              ...examinationWords,
              raw: rawAnswer,
              ...callRecordSchema.pick({ parameters: true, costUsd: true }).shape,
            }),
          )
          .describe("The examinations with their private texts"),
        calls: z.array(callRecordSchema.extend({ raw: rawAnswer })).describe("Other model calls"),
        unsaltedHashes: z.record(z.string(), z.string()).describe("By name, as `hashes`"),
      })
      .optional()
      .describe("Only for the two parties, with the key of a verified agent"),
  })
  .meta({ id: "Judgement", description: "How an outcome was judged" });
export type PartyJudgement = z.infer<typeof partyJudgementSchema>;

/** The judge that decides new outcomes, and whether it responds. */
export const judgeInServiceSchema = z
  .object({
    kind: z
      .enum(["heuristic", "llm"])
      .meta({ description: "heuristic: checks in code; llm: a language model" }),
    id: z.string().meta({ description: "Model id, or the built-in judge by name" }),
    models: z.array(z.string()).describe("Ids of all models that it asks; empty without any"),
    judge: judgeSetupSchema,
    version: z.string().meta({ description: "Version of its method, prompts and guides" }),
    calibration: z.string().nullable().describe("Version of the table behind the confidence"),
    note: z.string().describe("What the judge can and cannot assess"),
    status: z
      .enum(["ok", "untested", "unavailable"])
      .describe(
        "untested: no question was answered yet; while it is unavailable, outcomes wait and are retried",
      ),
    since: timestampSchema.nullable().meta({ description: "Start of the outage, if there is one" }),
    reason: z.string().nullable().describe("Cause of the outage, if there is one"),
  })
  .meta({ id: "JudgeInService" });
export type JudgeInService = z.infer<typeof judgeInServiceSchema>;
