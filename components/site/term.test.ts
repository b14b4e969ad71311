import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { GLOSSARY } from "./glossary";
import { Term } from "./term";

test("the glossary of the documents has the same texts", () => {
  const document = readFileSync("docs/glossary.md", "utf8");
  for (const [word, meaning] of Object.entries(GLOSSARY)) {
    expect(document).toContain(`| ${word} | ${meaning} |`);
  }
});

test("a word of the glossary opens its meaning, any other is plain text", () => {
  const markup = renderToStaticMarkup(createElement(Term, null, "Evidence"));
  const [, id] = /popoverTarget="([^"]+)"/i.exec(markup) ?? [];
  expect(id).toBeTruthy();
  expect(markup).toContain(`id="${id}"`);
  expect(markup.split(GLOSSARY.evidence ?? "?")).toHaveLength(3);
  expect(renderToStaticMarkup(createElement(Term, null, "Rank"))).toBe("Rank");
});
