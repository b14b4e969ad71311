import { z } from "zod";
import {
  type RequirementKind,
  type RequirementName,
  type RequirementOf,
  requirementSchema,
} from "@/server/judging/requirements/schema";

// The example of a text in another language. cspell:ignore Fluss trägt Wasser Meer

/** A check as `GET /requirements` describes it, without what its schema says. */
interface Kind<Name extends RequirementName>
  extends Pick<RequirementKind, "topic" | "description"> {
  requirement: RequirementOf<Name>;
  /** A deliverable that passes it, and one that fails. */
  passes: string;
  fails: string;
}

const SAME_TEXT =
  "White space, straight or curly quotation marks, and Unicode forms make no difference.";
const DOCUMENT =
  "Decided on the document as received; one fenced code block around all of it is left out.";
const LIMITS =
  "The same bytes have the same result: the clock begins at `deliverBy`, a reading or a wait advances it, and random numbers follow from terms and deliverable. Fails if it exceeds the sandbox's limits on time, memory or output.";
const PROGRAM =
  "The program is the fenced code blocks in the language, else those without a language, joined; without such, the whole text.";
const NUMBERS =
  "Numbers may be written like 1,234.50, $12, 12 % (which is 12), or (5) for a negative one; a comma is no decimal mark.";
const TABLE =
  "The table is a JSON array of objects, else the first Markdown table with the columns, else CSV.";

/** Every check. The descriptions say what is counted or compared, and what counts as a failure. */
const KINDS: { [Name in RequirementName]: Kind<Name> } = {
  "word-count": {
    topic: "length",
    description:
      "The number of words is within the limits, inclusive. A word is what is between white space and has a letter or digit, as word processors count; in scripts without spaces, such as Chinese, Japanese and Thai, words as Unicode finds them. Everything counts: headings, tables, code, links.",
    requirement: { check: "word-count", max: 3 },
    passes: "Three short words",
    fails: "These are four words",
  },
  "character-count": {
    topic: "length",
    description:
      "The number of characters is within the limits, inclusive. Characters are Unicode code points in form NFC, spaces and line breaks included; white space at both ends and invisible characters don't count.",
    requirement: { check: "character-count", max: 5 },
    passes: "hello",
    fails: "goodbye",
  },
  "sentence-count": {
    topic: "length",
    description:
      "The number of sentences is within the limits, inclusive. Sentences as Unicode finds them in paragraphs and list items, an item without a full stop included; none end after titles such as Dr. Headings, tables and code don't count.",
    requirement: { check: "sentence-count", min: 2, max: 2 },
    passes: "It rains. Dr. Ito stays at home.",
    fails: "It rains.",
  },
  "paragraph-count": {
    topic: "length",
    description:
      "The number of paragraphs is within the limits, inclusive. Paragraphs are separated by empty lines. Headings, lists, tables, code and dividers don't count.",
    requirement: { check: "paragraph-count", min: 2 },
    passes: "# Rivers\n\nOne paragraph.\n\nAnother one.",
    fails: "# Rivers\n\nOne paragraph.",
  },
  "list-item-count": {
    topic: "length",
    description:
      "The number of list items is within the limits, inclusive. An item is a line that starts with -, *, +, a bullet, or a number with . or ), followed by a space. Items of all levels count; those in code don't.",
    requirement: { check: "list-item-count", min: 2 },
    passes: "- apples\n- pears",
    fails: "apples, pears",
  },

  contains: {
    topic: "words",
    description: `Every phrase occurs, as whole words: "art" is not found in "start". In scripts without spaces, anywhere. ${SAME_TEXT} Fails if one is missing.`,
    requirement: { check: "contains", phrases: ["root cause"] },
    passes: "The Root Cause was a full disk.",
    fails: "The cause was a full disk.",
  },
  excludes: {
    topic: "words",
    description: `None of the phrases occurs as whole words; in scripts without spaces, anywhere. ${SAME_TEXT} Fails if one is found.`,
    requirement: { check: "excludes", phrases: ["guaranteed"] },
    passes: "Returns vary.",
    fails: "Returns are guaranteed.",
  },
  "starts-with": {
    topic: "words",
    description: `The text starts with these characters, letter case included. ${SAME_TEXT} White space before it is ignored.`,
    requirement: { check: "starts-with", text: "Dear customer" },
    passes: "Dear customer,\n\nthank you.",
    fails: "Hello,\n\nthank you.",
  },
  "ends-with": {
    topic: "words",
    description: `The text ends with these characters, letter case included. ${SAME_TEXT} White space after it is ignored.`,
    requirement: { check: "ends-with", text: "Kind regards" },
    passes: "Thank you.\n\nKind regards",
    fails: "Kind regards\n\nThe team",
  },
  language: {
    topic: "words",
    description:
      "At least two thirds of the text are detected to be in the language; code and links are left out, and a text of more than 30,000 characters is sampled at 100 places. Only the language counts, not its region. Fails if no language can be detected, as in texts of a few words.",
    requirement: { check: "language", tag: "de" },
    passes: "Der Fluss trägt das Wasser aus den Bergen bis zum Meer.",
    fails: "The river carries water from the mountains to the sea.",
  },
  "letter-case": {
    topic: "words",
    description:
      "Every letter that has a case is in it. Fails if one is not, or if there is no such letter.",
    requirement: { check: "letter-case", case: "lower" },
    passes: "all quiet",
    fails: "All quiet",
  },
  matches: {
    topic: "words",
    description:
      "The pattern, in RE2's syntax, matches anywhere in the text, or as often as the limits say; matches don't overlap, and max 0 forbids them. Flags are written into the pattern, such as (?i) and (?m). The text is in form NFC and without white space at both ends. Fails if matching takes too long.",
    requirement: { check: "matches", pattern: "INC-[0-9]{4}", min: 1 },
    passes: "See INC-2041.",
    fails: "See the incident.",
  },

  json: {
    topic: "structure",
    description: `The document is valid JSON and nothing else, and matches the JSON Schema (2020-12) if there is one; \`format\` is not checked, and patterns are in RE2's syntax. ${DOCUMENT} Fails if checking takes too long or the value is nested too deeply.`,
    requirement: { check: "json", schema: { type: "object", required: ["total"] } },
    passes: '{"total": 3}',
    fails: '{"sum": 3}',
  },
  "json-lines": {
    topic: "structure",
    description: `Every line that is not empty is valid JSON. ${DOCUMENT} Fails without such a line.`,
    requirement: { check: "json-lines" },
    passes: '{"id": 1}\n{"id": 2}',
    fails: '{"id": 1}\nid 2',
  },
  csv: {
    topic: "structure",
    description: `The document is a table with commas, semicolons or tabs between fields, and as many fields in every row as in the header, at least two. Column names must be equal, letter case included; further columns are allowed. ${DOCUMENT}`,
    requirement: { check: "csv", columns: ["city"], minRows: 2 },
    passes: "city,rain\nOslo,3\nRome,1",
    fails: "city,rain\nOslo,3",
  },
  yaml: {
    topic: "structure",
    description: `The document is valid YAML 1.2: a mapping or a list. Tags, and up to 100 aliases, are allowed. ${DOCUMENT} Fails for plain text.`,
    requirement: { check: "yaml" },
    passes: "replicas: 3\nports: [80, 443]",
    fails: "replicas: 3\n ports: [80",
  },
  xml: {
    topic: "structure",
    description: `The document is well-formed XML with namespaces. ${DOCUMENT} Fails if it refers to an entity that it defines itself.`,
    requirement: { check: "xml" },
    passes: "<note><to>Ada</to></note>",
    fails: "<note><to>Ada</note>",
  },
  html: {
    topic: "structure",
    description: `The document starts with a tag, has an element, and closes every element whose end tag may not be left out. ${DOCUMENT} Nothing else about HTML is checked.`,
    requirement: { check: "html" },
    passes: "<h1>Rivers</h1><p>They flow.",
    fails: "<div><h1>Rivers</h1>",
  },
  "markdown-table": {
    topic: "structure",
    description:
      "There is a Markdown table with a header, a line of dashes, and at least one row. Its header has the columns, letter case included; further columns are allowed.",
    requirement: { check: "markdown-table", columns: ["Risk"] },
    passes: "| Risk | Level |\n|---|---|\n| Fire | low |",
    fails: "Risk: fire",
  },
  sections: {
    topic: "structure",
    description:
      "The headings occur in this order; others may be between them. A heading is a line with #, one that is underlined with = or -, or one in bold. Letter case, numbers before it and a colon after it make no difference.",
    requirement: { check: "sections", titles: ["Cause", "Remedy"] },
    passes: "## 1. Cause\n\nA full disk.\n\n## 2. Remedy\n\nA larger one.",
    fails: "## Remedy\n\nA larger disk.\n\n## Cause\n\nA full one.",
  },
  "code-block": {
    topic: "structure",
    description:
      "There is a fenced code block with this language tag that is not empty. Letter case makes no difference; js and javascript are the same, as are ts and typescript, py and python.",
    requirement: { check: "code-block", language: "sql" },
    passes: "```sql\nselect 1;\n```",
    fails: "select 1;",
  },

  value: {
    topic: "values",
    description: `The value at a JSON Pointer, or in a cell of the table, is equal to the agreed one, up to the tolerance. ${TABLE} ${NUMBERS} Fails if there is nothing at that place.`,
    requirement: { check: "value", at: "/total", equals: 12.5, tolerance: 0.01 },
    passes: '{"total": 12.504}',
    fails: '{"total": 13}',
  },
  sum: {
    topic: "values",
    description: `The numbers of a column add up to the cell, whose row is left out. Empty cells are left out too. ${TABLE} ${NUMBERS} Fails if any other cell of the column is no number.`,
    requirement: { check: "sum", column: "Cost", equals: { column: "Cost", row: -1 } },
    passes: "| Item | Cost |\n|---|---|\n| Disk | $80 |\n| Fan | $20 |\n| Total | $100 |",
    fails: "| Item | Cost |\n|---|---|\n| Disk | $80 |\n| Fan | $20 |\n| Total | $90 |",
  },

  parses: {
    topic: "code",
    description: `The program has no syntax error; it is not executed. ${PROGRAM} JSX is an error.`,
    requirement: { check: "parses", language: "javascript" },
    passes: "const half = (n) => n / 2;",
    fails: "const half = (n => n / 2;",
  },
  examples: {
    topic: "code",
    description: `Each call returns the agreed result, compared out of the program's reach. Floating-point results may be rounded. ${PROGRAM} Fails if a call throws, needs a package, a file or the network, or compares values itself. ${LIMITS}`,
    requirement: {
      check: "examples",
      language: "javascript",
      calls: [{ call: "add(2, 3)", result: "5" }],
    },
    passes: "const add = (a, b) => a + b;",
    fails: "const add = (a, b) => a - b;",
  },
  tests: {
    topic: "code",
    description: `A test file runs after the program, in its scope, and nothing throws. In Python, functions named test_… are called; in JavaScript and TypeScript, test(name, function), assert(value), assert.equal(value, expected) and assert.throws(function) exist. ${PROGRAM} A program that knows the tests could cheat them; the results of \`examples\` are out of its reach. ${LIMITS}`,
    requirement: {
      check: "tests",
      language: "javascript",
      file: "test('adds', () => assert.equal(add(2, 3), 5));",
    },
    passes: "const add = (a, b) => a + b;",
    fails: "const add = (a, b) => a - b;",
  },

  "links-respond": {
    topic: "sources",
    description:
      "There are at least so many distinct links, and each one responds with a text page or PDF, within a minute for all of them. Of each, 16 KB are read once. Links in code and addresses of examples don't count. Fails with more than 50 links.",
    requirement: { check: "links-respond", min: 1 },
    passes: "See https://www.rfc-editor.org/rfc/rfc8785.",
    fails: "See the standard.",
  },
  "quotes-found": {
    topic: "sources",
    description:
      "Every quotation of five words or more that names a page, or is followed by one, is on that page; case, punctuation and words left out with … make no difference. Each page, or PDF, is fetched once. Fails without such a quotation, with more than ten quoted pages, or if a page doesn't respond.",
    requirement: { check: "quotes-found" },
    passes:
      'It says "cryptographic operations like hashing and signing need the data" (https://www.rfc-editor.org/rfc/rfc8785).',
    fails: "It is about hashing (https://www.rfc-editor.org/rfc/rfc8785).",
  },

  sha256: {
    topic: "files",
    description:
      "Only the exact file with this hash passes. Submitted content is hashed as UTF-8. Files have at most 1 MiB.",
    requirement: {
      check: "sha256",
      hash: "0x2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    },
    passes: "hello",
    fails: "hello!",
  },
  "media-type": {
    topic: "files",
    description:
      "The file's server sends it with this media type. Fails for submitted content, which has none: send a URL.",
    requirement: { check: "media-type", type: "text/plain" },
    passes: "https://www.rfc-editor.org/rfc/rfc8785.txt",
    fails: "hello",
  },
  "max-bytes": {
    topic: "files",
    description: "The file has at most so many bytes. Submitted content is measured as UTF-8.",
    requirement: { check: "max-bytes", bytes: 5 },
    passes: "hello",
    fails: "goodbye",
  },
};

let kinds: RequirementKind[] | undefined;

/** Returns every check that a requirement can name. */
export function listRequirementKinds(): RequirementKind[] {
  kinds ??= requirementSchema.options.map((option) => {
    const check = option.shape.check.value;
    const { topic, description, ...example } = KINDS[check];
    return { check, topic, description, example, schema: z.toJSONSchema(option, { io: "input" }) };
  });
  return kinds;
}
