import { expect, test } from "vitest";
import { z } from "zod";
import { compileRoutes } from "@/server/rest/routes";
import { listNodes } from "@/server/testing/http/openapi-document";
import { createUnreadApi } from "@/server/testing/http/unread-api";
import { separateUntrusted } from "./create-server";
import { TOOLS } from "./tools";

/** Free texts in results that the service or its operator writes. */
const OWN_TEXTS = [
  "advice",
  "categoryScores",
  "detail",
  "evidenceFailure",
  "id",
  "judgeVersion",
  "reasons",
  "salt",
  "sentence",
  "stakeUsdc",
  "summary",
  "title",
  "warnings",
];

test("every free text of a result is untrusted or the service's own", () => {
  const routes = compileRoutes(createUnreadApi());
  const texts = new Set<string>();
  for (const { procedure } of TOOLS) {
    const { output } = routes.find((route) => route.procedure === procedure) ?? {};
    const json = z.toJSONSchema(output ?? z.unknown(), { io: "output", unrepresentable: "any" });
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
