import { getLabelledLanguage } from "@/server/judging/checks/code/programs";
import { findMarkdownTables } from "@/server/judging/checks/formats/tables";
import {
  extractFencedBlocks,
  isBoldLine,
  isHeading,
  replaceFencedBlocks,
} from "@/server/judging/checks/text/layout";
import { count, type Decisions, foldCase, normalisePhrase, shortenDetail } from "./reading";

export function listMissing(header: readonly string[], names: readonly string[]): string[] {
  const present = new Set(header.map(normalisePhrase));
  return names.filter((name) => !present.has(normalisePhrase(name)));
}

/** Returns the decision for names of which all must be present. */
export function describeMissing(missing: readonly string[], total: number, noun: string) {
  const observed = total === 0 ? "found" : `${total - missing.length} of ${total} ${noun} found`;
  return missing.length === 0
    ? { passed: true, observed }
    : { passed: false, observed, detail: shortenDetail(`Missing: ${missing.join("; ")}`) };
}

/** Lists the headings outside of code: lines with `#`, underlined ones, and ones in bold. */
function listHeadings(text: string): string[] {
  const lines = replaceFencedBlocks(text, "").split("\n");
  return lines.filter(
    (line, index) =>
      isHeading(line) ||
      isBoldLine(line) ||
      (line.trim() !== "" && /^\s{0,3}(?:={3,}|-{3,})\s*$/.test(lines[index + 1] ?? "")),
  );
}

/** Removes marks, a number and a colon, and differences of letter case. */
const normaliseTitle = (title: string): string =>
  foldCase(
    normalisePhrase(
      title
        .replace(/^[\s#*_]+/, "")
        .replace(/[\s#*_:]+$/, "")
        .replace(/^\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+/, ""),
    ),
  );

/** Returns the language of a tag that has several, such as "js"; any other tag as it is. */
const toLanguage = (tag: string): string => getLabelledLanguage(tag) ?? tag;

export const STRUCTURE_DECISIONS: Decisions<"markdown-table" | "sections" | "code-block"> = {
  "markdown-table": ({ text }, { columns = [] }) => {
    const tables = findMarkdownTables(text).filter(({ rows }) => rows.length > 0);
    if (tables.length === 0) return { passed: false, observed: "no Markdown table with rows" };
    const missing = tables
      .map(({ header }) => listMissing(header, columns))
      .toSorted((a, b) => a.length - b.length)[0];
    return describeMissing(missing ?? [], columns.length, "columns");
  },

  sections: ({ text }, { titles }) => {
    const headings = listHeadings(text).map(normaliseTitle);
    let at = 0;
    const missing = titles.filter((title) => {
      const found = headings.indexOf(normaliseTitle(title), at);
      if (found >= 0) at = found + 1;
      return found < 0;
    });
    return {
      ...describeMissing(missing, titles.length, "titles"),
      ...(missing.length > 0 && {
        observed: `${titles.length - missing.length} of ${titles.length} titles found in order`,
      }),
    };
  },

  "code-block": ({ text }, { language }) => {
    const wanted = toLanguage(language.toLowerCase());
    const blocks = extractFencedBlocks(text).filter(({ code }) => code.trim() !== "");
    const passed = blocks.some((block) => toLanguage(block.language) === wanted);
    return {
      passed,
      observed: passed ? "found" : `${count(blocks.length, "code block")}, none in the language`,
    };
  },
};
