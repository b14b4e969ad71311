import { z } from "zod";
import { idSchema, judgeSetupSchema, timestampSchema, verdictSchema } from "@/server/lib/schema";

/** Safe for the browser: public shapes of a judgement, and types shared by the judge's parts. */

export const metSchema = z
  .enum(["yes", "no", "partial", "cannot_verify"])
  .meta({ id: "Met", description: "Whether a criterion is met" });
export type Met = z.infer<typeof metSchema>;

const criterionKindSchema = z
  .enum(["must", "should"])
  .meta({ id: "CriterionKind", description: "A must decides the verdict; a should informs." });

/**
 * One line of a rubric. A `must` decides, a `should` only informs. `absence`: requires that
 * something be absent, which no quotation can prove. `code`: decided by `check`, never by a vote.
 */
export const criterionSchema = z
  .strictObject({
    id: z.string().min(1).max(40).describe("Identifies the criterion within the judgement"),
    text: z.string().min(1).max(500).describe("What the deliverable must or should do"),
    kind: criterionKindSchema,
    proof: z
      .enum(["quote", "absence", "code"])
      .describe("What shows it: a quotation, the absence of something, or a check in code"),
    check: z
      .strictObject({
        name: z.string().describe("Name of the check"),
        parameters: z.unknown().describe("As the check defines them"),
      })
      .optional()
      .describe("The check that decides it, if `proof` is `code`"),
  })
  .meta({ id: "Criterion" });
export type Criterion = z.infer<typeof criterionSchema>;

/**
 * A blind solution, written from the task alone: what a correct answer contains. Private; shown to
 * the votes as one possible answer.
 */
export const referenceSchema = z.strictObject({
  keyPoints: z.array(z.string()).describe("What a correct answer contains"),
  examples: z
    .array(
      z.strictObject({
        call: z.string().describe("A call of the requested code"),
        expected: z.string().describe("Its expected value"),
      }),
    )
    .describe("For tasks that ask for code"),
});
export type Reference = z.infer<typeof referenceSchema>;

/**
 * Reasons to request more votes. They never make a verdict `FAILURE`, but with a flag a `SUCCESS`
 * has weight only if an unflagged second round of votes is unanimous.
 */
export const flagSchema = z
  .enum([
    "injection-suspected",
    "injection-detected",
    "canary-lost",
    "confusables",
    "hidden-characters",
    "not-normalised",
  ])
  .meta({
    id: "JudgementFlag",
    description:
      "injection-suspected: a vote reports that the material tries to steer it; injection-detected: the text contains words in an encoding that only a machine reads; canary-lost: a vote did not repeat its canary word; confusables: a word mixes look-alike letters of several scripts; hidden-characters: the text contained invisible characters; not-normalised: Unicode normalisation would have multiplied the text's length, so it was skipped.",
  });
export type Flag = z.infer<typeof flagSchema>;

export const escalationSchema = z
  .strictObject({
    reasons: z
      .array(
        z.enum(["dissent", "unverified-must", "flag", "control-met", "high-value", "no-answer"]),
      )
      .describe(
        "Why more votes were requested; control-met: a vote found a criterion met that no deliverable meets",
      ),
    model: z.string().describe("The model that cast the further votes"),
  })
  .meta({ id: "Escalation" });
export type Escalation = z.infer<typeof escalationSchema>;

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
    .enum(["rubric", "reference", "vote", "escalated-vote", "entailment", "control", "review"])
    .describe("What the call was for"),
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

const findingId = z.string().describe("Id of the criterion");

/** One vote's finding on one criterion, after its quotation was checked. */
const voteFindingSchema = z
  .object({
    id: findingId,
    met: metSchema,
    against: z.string().describe("The strongest evidence against it, in the model's words"),
    quote: z.string().describe("The quotation that shows it"),
    finding: z.string().describe("What the vote found"),
    standing: z.boolean().describe("Whether the text shown to the vote contains the quotation"),
    confirmed: z
      .boolean()
      .optional()
      .describe(
        "Whether a separate call, which sees only criteria and quotations, confirmed that the one supports the other; absent if it was not asked",
      ),
  })
  .meta({ id: "VoteFinding" });
export type VoteFinding = z.infer<typeof voteFindingSchema>;

const voteContentSchema = z.object({
  role: z
    .enum(["examiner", "refuter"])
    .describe("A refuter looks for what shows that a criterion is not met"),
  order: z.array(z.string()).describe("Ids of the criteria in the order this vote was asked"),
  findings: z.array(voteFindingSchema).describe("The vote's answers"),
  injectionSuspected: z
    .boolean()
    .describe("Whether the vote reports that the material tries to steer it"),
  canaryKept: z
    .boolean()
    .nullable()
    .describe("Whether it repeated its canary word; null if the answer can't be read"),
  controlMet: metSchema
    .nullable()
    .describe("Answer on a criterion that no deliverable meets; null if it was not asked"),
  summary: z.string().describe("The vote in the model's words"),
  modelVerdict: z.string().describe("Stored only for audit: code derives the verdict"),
});
/**
 * `refusal` and `unusable` count as unverified on every criterion. An answer that lost its canary is
 * `unusable`.
 */
const voteOutcomeSchema = z
  .enum(["answer", "refusal", "unusable"])
  .describe("A refusal or an unusable answer counts as unverified on every criterion");

/** One vote, as stored. Findings are empty if the model gave no answer that can be read. */
export interface StoredVote extends z.infer<typeof voteContentSchema> {
  call: CallRecord;
  outcome: z.infer<typeof voteOutcomeSchema>;
}

const findingSchema = z
  .object({
    id: findingId,
    text: z
      .string()
      .nullable()
      .describe(
        "The criterion; if its words repeat the task, what it is about. The parties can read it with their key",
      ),
    note: z.string().nullable().describe("What was observed; null if it repeats private text"),
    kind: criterionKindSchema.nullable().describe("Null for an observation without a criterion"),
    met: metSchema,
    votes: z
      .object({
        yes: z.int().describe("Votes that it is met"),
        no: z.int().describe("Votes that it is not met"),
        partial: z.int().describe("Votes that it is met in part"),
        cannot_verify: z.int().describe("Votes that could not tell"),
      })
      .nullable()
      .describe("Number of votes by answer; null if code decided"),
  })
  .meta({ id: "Finding", description: "A criterion and whether the deliverable meets it" });

const checkResultSchema = z
  .object({
    id: z.string().describe("Identifies the check within the judgement"),
    check: z.string().describe("Name of the check"),
    text: z.string().describe("The requirement"),
    stated: z
      .boolean()
      .describe("Whether the task or its rubric states it; else all work is held to it"),
    outcome: z.enum(["pass", "fail", "not-applicable"]).describe("Result of the check"),
    observed: z.string().describe("What was found, without words of the parties"),
  })
  .meta({ id: "CheckResult" });

const voteSchema = callRecordSchema
  .omit({ parameters: true, costUsd: true })
  .extend({
    outcome: voteOutcomeSchema,
    met: z.record(z.string(), metSchema).describe("By id of the finding"),
  })
  .meta({ id: "Vote", description: "A vote of the panel, with the model call behind it" });

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
  findings: z.array(findingSchema).describe("Every criterion with its result"),
  checks: z.array(checkResultSchema).describe("What code checked, without a model"),
  votes: z.array(voteSchema).describe("Every vote of the panel"),
  flags: z.array(flagSchema).describe("Reasons for caution; they never make a verdict FAILURE"),
  escalation: escalationSchema.nullable().describe("Null if the first votes decided"),
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
        rubric: z.array(criterionSchema).describe("The criteria"),
        reference: referenceSchema
          .nullable()
          .describe("Key points and examples that were written from the task alone"),
        findings: z
          .array(
            z.object({
              id: findingId,
              text: z.string().describe("The criterion"),
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
        votes: z
          .array(
            voteContentSchema.extend({
              raw: rawAnswer,
              ...callRecordSchema.pick({ parameters: true, costUsd: true }).shape,
            }),
          )
          .describe("The votes with their private texts"),
        calls: z
          .array(callRecordSchema.extend({ raw: rawAnswer }))
          .describe("Model calls other than votes"),
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
    judge: judgeSetupSchema,
    version: z.string().meta({ description: "Version of its method, prompts and guides" }),
    calibration: z.string().nullable().describe("Version of the table behind the confidence"),
    note: z.string().describe("What the judge can and cannot assess"),
    status: z
      .enum(["ok", "unavailable"])
      .describe("While it is unavailable, outcomes wait and are retried"),
    since: timestampSchema.nullable().meta({ description: "Start of the outage, if there is one" }),
    reason: z.string().nullable().describe("Cause of the outage, if there is one"),
  })
  .meta({ id: "JudgeInService" });
export type JudgeInService = z.infer<typeof judgeInServiceSchema>;
