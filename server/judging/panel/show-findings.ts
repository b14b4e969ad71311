import type { Finding } from "@/server/judging/judge";
import { privateWords } from "./private-words";

/** Adds to each finding the words that repeat no private text. Pure; may be slow for long texts. */
export function showFindings(findings: Finding[], privateTexts: readonly string[]): Finding[] {
  const known = privateWords(privateTexts);
  return findings.map((finding) => {
    const { text, note } = finding;
    return {
      ...finding,
      shown: {
        text: known.quotedIn(text) ? null : text,
        note: note === undefined || known.toldIn(note) ? null : note,
      },
    };
  });
}
