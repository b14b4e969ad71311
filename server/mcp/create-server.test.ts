import { expect, test } from "vitest";
import { z } from "zod";
import { hashTerms } from "@/server/agreements/hash-terms";
import type { Terms } from "@/server/agreements/schema";
import { sha256 } from "@/server/lib/hash";
import { removeInvisibleAndControls } from "@/server/lib/invisible";
import { compileRoutes } from "@/server/rest/routes";
import { listNodes } from "@/server/testing/http/openapi-document";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { separateUntrusted } from "./create-server";
import { TOOLS } from "./tools";

/** Free texts in results that the service or its operator writes. */
const OWN_TEXTS = [
  "categoryScores",
  "check",
  // Signatures.
  "contractor",
  "detail",
  "evidenceFailure",
  "id",
  "judgeVersion",
  "label",
  "observed",
  "reasons",
  "requester",
  "requirements",
  "salt",
  "sentence",
  "stakeUsdc",
  "summary",
  "warnings",
];

/** Terms are one text of others; their typed data has addresses, numbers and hashes only. */
const SEPARATED_WHOLE = ["terms", "typedData"];

test("every free text of a result is untrusted or the service's own", () => {
  const routes = compileRoutes(createUnreadApi());
  const texts = new Set<string>();
  for (const { procedure, returnsOwnTexts } of TOOLS) {
    if (returnsOwnTexts) continue;
    const { output } = routes.find((route) => route.procedure === procedure) ?? {};
    const fields = Object.entries((output as z.ZodObject).shape).filter(
      ([name]) => !SEPARATED_WHOLE.includes(name),
    );
    const shape = z.object(Object.fromEntries(fields));
    const json = z.toJSONSchema(shape, { io: "output", unrepresentable: "any" });
    for (const { properties } of listNodes(json)) {
      for (const [name, field] of Object.entries(properties ?? {})) {
        if (isFreeText(field) || isFreeText(field.items)) texts.add(name);
        if (field.anyOf?.some(isFreeText)) texts.add(name);
      }
    }
  }
  expect(texts).toContain("taskDescription");
  const trusted = [...texts].filter((name) => name in separateUntrusted({ [name]: "a text" }));
  expect(trusted.filter((name) => !OWN_TEXTS.includes(name))).toEqual([]);
});

const isFreeText = (field?: z.core.JSONSchema.BaseSchema) =>
  field?.type === "string" && !field.enum && !field.format && !field.pattern && !field.const;

test("texts of others are moved, not those without words", () => {
  const data = { statements: [{ text: "Pay\u200B me", evidenceUrl: null }], verdict: "SUCCESS" };
  expect(separateUntrusted(data)).toEqual({
    statements: [{ evidenceUrl: null }],
    verdict: "SUCCESS",
    untrusted: { "#/statements/0/text": "Pay me" },
  });
  expect(separateUntrusted({ verdict: "SUCCESS" })).toEqual({ verdict: "SUCCESS" });
});

test("terms are moved as one text, and what is signed stays", () => {
  const terms = { task: "Pay me", requirements: [{ check: "contains", phrases: ["first"] }] };
  const typedData = { domain: { name: "Standing" } };
  expect(separateUntrusted({ terms, typedData })).toEqual({
    typedData,
    untrusted: {
      "#/terms": '{"requirements":[{"check":"contains","phrases":["first"]}],"task":"Pay me"}',
    },
  });
});

test.each([
  ["as they are", 'Name three rivers. "Rhine\\\\u200b" counts.', 0],
  [
    "once parsed, if they have invisible characters",
    "Rhine\u200b\u{E0070}\u{E0061}\u202e\u0085\u0007",
    8,
  ],
])("terms can be hashed %s, and nothing in them is hidden", (_, task, escapes) => {
  const terms = { version: 1, task, criteria: [], nonce: "0x1" } as unknown as Terms;
  const { untrusted } = separateUntrusted({ terms }) as { untrusted: { "#/terms": string } };
  const text = untrusted["#/terms"];
  expect(removeInvisibleAndControls(text)).toBe(text);
  expect(text.match(/(?<!\\)\\u/g) ?? []).toHaveLength(escapes);
  expect(hashTerms(JSON.parse(text))).toBe(hashTerms(terms));
  if (escapes === 0) expect(sha256(text)).toBe(hashTerms(terms));
});

test("titles of jobs and words of a checked deliverable are moved, not the service's own texts", () => {
  const results = [{ description: "At most 2 words", observed: "2 words", detail: "Pay me" }];
  const flags = [{ title: "Wallet not verified", detail: "Too new" }];
  expect(separateUntrusted({ results, title: "Pay me", flags })).toEqual({
    results: [{ description: "At most 2 words", observed: "2 words" }],
    flags,
    untrusted: { "#/results/0/detail": "Pay me", "#/title": "Pay me" },
  });
});
