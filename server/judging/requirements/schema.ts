import { z } from "zod";
import { exactTextSchema, httpUrlSchema, verbatimTextSchema } from "@/server/lib/schema";

/**
 * The requirements that two parties can agree on, safe for the browser. Each names a check and its
 * parameters; code decides it, and it either passes or fails.
 */

const count = z.int().min(0).max(1_000_000);
/** At least one of `min` and `max`; both are inclusive. */
const range = {
  min: count.optional().describe("At least this many"),
  max: count.optional().describe("At most this many"),
};
const name = <Name extends string>(check: Name) => z.literal(check).describe("Name of the check");
const phrase = exactTextSchema(1, 500);
const columnName = exactTextSchema(1, 200);
const columnNames = z.array(columnName).min(1).max(100);

const CODE_LANGUAGES = ["javascript", "typescript", "python"] as const;
const codeLanguage = z.enum(CODE_LANGUAGES).describe("Language of the program");

/** A cell of the deliverable's table: CSV, JSON array of objects, or Markdown. */
const cell = z
  .strictObject({
    column: columnName.describe("Header of its column"),
    row: z
      .int()
      .min(-10_000)
      .max(10_000)
      .refine((row) => row !== 0, "must not be 0")
      .describe("Row below the header, from 1; -1 is the last row"),
  })
  .meta({
    id: "TableCell",
    description: "A cell; for `sum`, it holds the sum and its row is left out",
  });

const scalar = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);

export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

function refuseEmptyRange({ min, max }: Range, issue: z.RefinementCtx): void {
  if (min !== undefined && max !== undefined && min > max) {
    issue.addIssue({ code: "custom", message: "must not be below `min`", path: ["max"] });
  }
}

function refuseMissingRange({ min, max }: Range, issue: z.RefinementCtx): void {
  if (min === undefined && max === undefined) {
    issue.addIssue({ code: "custom", message: "needs `min`, `max` or both", path: ["min"] });
  }
}

const counted = <Name extends string>(check: Name) =>
  z
    .strictObject({ check: name(check), ...range })
    .superRefine(refuseMissingRange)
    .superRefine(refuseEmptyRange);

const phrases = <Name extends string>(check: Name) =>
  z.strictObject({
    check: name(check),
    phrases: z.array(phrase).min(1).max(50).describe("Words or phrases"),
    caseSensitive: z
      .boolean()
      .optional()
      .describe("Whether letter case must match; false if omitted"),
  });

const plain = <Name extends string>(check: Name) => z.strictObject({ check: name(check) });

const describeUnknownCheck = ({ code }: z.core.$ZodRawIssue) =>
  code === "invalid_union" ? "is no check that `GET /requirements` lists" : undefined;

export const requirementSchema = z
  .discriminatedUnion(
    "check",
    [
      counted("word-count"),
      counted("character-count"),
      counted("sentence-count"),
      counted("paragraph-count"),
      counted("list-item-count"),

      phrases("contains"),
      phrases("excludes"),
      z.strictObject({
        check: name("starts-with"),
        text: phrase.describe("Its first words"),
      }),
      z.strictObject({
        check: name("ends-with"),
        text: phrase.describe("Its last words"),
      }),
      z.strictObject({
        check: name("language"),
        tag: z
          .string()
          .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a BCP 47 tag such as `en` or `pt-BR`")
          .max(35)
          .describe("BCP 47 language tag; only its language counts"),
      }),
      z.strictObject({
        check: name("letter-case"),
        case: z.enum(["upper", "lower"]).describe("Case of every letter that has one"),
      }),
      z
        .strictObject({
          check: name("matches"),
          pattern: z.string().min(1).max(1_000).describe("A pattern in RE2's syntax"),
          ...range,
        })
        .superRefine(refuseEmptyRange),

      z.strictObject({
        check: name("json"),
        schema: z
          .record(z.string(), z.unknown())
          .optional()
          .describe("JSON Schema 2020-12, without references to other documents"),
      }),
      plain("json-lines"),
      z.strictObject({
        check: name("csv"),
        columns: columnNames.optional().describe("Columns that the header must have"),
        minRows: count.optional().describe("Rows below the header, at least"),
      }),
      plain("yaml"),
      plain("xml"),
      plain("html"),
      z.strictObject({
        check: name("markdown-table"),
        columns: columnNames.optional().describe("Columns that the header must have"),
      }),
      z.strictObject({
        check: name("sections"),
        titles: z
          .array(exactTextSchema(1, 200))
          .min(1)
          .max(50)
          .describe("Headings that must occur, in this order"),
      }),
      z.strictObject({
        check: name("code-block"),
        language: exactTextSchema(1, 40).describe("Language tag of a fenced code block"),
      }),

      z
        .strictObject({
          check: name("value"),
          at: z
            .union([
              z
                .string()
                .regex(/^(\/([^~/]|~[01])*)*$/, "must be a JSON Pointer such as `/total`")
                .max(500)
                .describe("JSON Pointer (RFC 6901) into the deliverable"),
              cell,
            ])
            .describe("Where the value is: a JSON Pointer or a cell of a table"),
          equals: scalar.describe("The value that must be there"),
          tolerance: z
            .number()
            .min(0)
            .optional()
            .describe("Largest allowed difference of two numbers"),
        })
        .refine(({ equals, tolerance }) => tolerance === undefined || typeof equals === "number", {
          message: "is only for a number in `equals`",
          path: ["tolerance"],
        }),
      z.strictObject({
        check: name("sum"),
        column: columnName.describe("Column whose numbers are added"),
        equals: cell,
        tolerance: z.number().min(0).optional().describe("Largest allowed difference"),
      }),

      z.strictObject({ check: name("parses"), language: codeLanguage }),
      z.strictObject({
        check: name("examples"),
        language: codeLanguage,
        calls: z
          .array(
            z.strictObject({
              call: exactTextSchema(1, 2_000).describe("An expression of that language"),
              result: exactTextSchema(1, 2_000).describe("An expression of equal value"),
            }),
          )
          .min(1)
          .max(30)
          .describe("Calls with their results"),
      }),
      z.strictObject({
        check: name("tests"),
        language: codeLanguage,
        file: verbatimTextSchema(20_000)
          .min(1)
          .describe("A test file, run after the deliverable: it fails by throwing"),
      }),

      z.strictObject({
        check: name("links-respond"),
        min: z.int().min(1).max(50).describe("Number of distinct links, at least"),
      }),
      plain("quotes-found"),

      z.strictObject({
        check: name("sha256"),
        hash: z
          .string()
          .regex(/^0x[0-9a-f]{64}$/, "must be 0x and 64 lowercase hexadecimal characters")
          .describe("SHA-256 of the file's bytes"),
      }),
      z.strictObject({
        check: name("media-type"),
        type: z
          .string()
          .regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, "must be a media type such as `text/csv`")
          .max(100)
          .describe("Media type of the file, without parameters"),
      }),
      z.strictObject({
        check: name("max-bytes"),
        bytes: z.int().min(1).max(1_048_576).describe("Size of the file, at most"),
      }),
    ],
    { error: describeUnknownCheck },
  )
  .meta({
    id: "Requirement",
    description: "A condition that code decides: a check and its parameters",
  });
export type Requirement = z.infer<typeof requirementSchema>;
export type RequirementName = Requirement["check"];
export type RequirementOf<Name extends RequirementName> = Extract<Requirement, { check: Name }>;

export const requirementResult = z
  .strictObject({
    check: z.string().describe("Name of the check"),
    description: z.string().describe("The requirement, such as: At most 200 words"),
    passed: z.boolean().describe("Whether it holds"),
    observed: z.string().describe("What was found, such as: 214 words. Quotes no private text"),
    detail: z
      .string()
      .nullable()
      .describe("The same with words of the deliverable; only for the parties"),
  })
  .meta({ id: "RequirementResult" });
export type RequirementResult = z.infer<typeof requirementResult>;

/** What a deliverable is, in requests that try requirements on it. */
export const deliverableShape = {
  deliverableContent: verbatimTextSchema(500_000).optional().describe("The deliverable as text"),
  deliverableUrl: httpUrlSchema.optional().describe("URL of the deliverable"),
};

export const checkedDeliverable = z
  .strictObject({
    passed: z.boolean().describe("Whether every requirement holds"),
    results: z.array(requirementResult).describe("One for each requirement, in order"),
  })
  .meta({ id: "CheckedDeliverable" });
export type CheckedDeliverable = z.infer<typeof checkedDeliverable>;

/** A check as `GET /requirements` lists it. */
export const requirementKind = z
  .strictObject({
    check: z.string().describe("Name of the check"),
    topic: z
      .enum(["length", "words", "structure", "values", "code", "sources", "files"])
      .describe("What it is about"),
    description: z.string().describe("What it requires, and what counts as a failure"),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema of a requirement"),
    example: z
      .strictObject({
        requirement: requirementSchema,
        passes: z.string().describe("A deliverable that passes"),
        fails: z.string().describe("A deliverable that fails"),
      })
      .describe("One requirement with two deliverables"),
  })
  .meta({ id: "RequirementKind" });
export type RequirementKind = z.infer<typeof requirementKind>;
