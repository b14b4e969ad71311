import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { splitSentences } from "@/server/judging/checks/text/sentences";

/** Longer texts are never non-answers of the kinds that count sentences. */
export const MAX_NON_ANSWER_LENGTH = 4_000;

/** Returns the words of a text in lower case: letters, marks and digits. */
export function tokenise(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Returns the sentences of a text without Markdown emphasis and quoted passages. */
export function splitOwnSentences(text: string): string[] {
  const plain = text
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/(?:\*\*|__|(?<!\w)[*_]|[*_](?!\w))/g, "")
    .replaceAll(/[“"«][^“”"«»\n]{0,400}[”"»]/g, "…")
    .replaceAll(/([。！？])/g, "$1\n");
  return splitSentences(plain.replaceAll(/^[ \t]*>[ \t]?/gm, ""));
}

/** Returns whether the text holds work that is no prose: code or a table. */
export function hasCodeOrTable(text: string): boolean {
  return extractFencedBlocks(text).length > 0 || /^\s*\|.*\|\s*$/m.test(text);
}
