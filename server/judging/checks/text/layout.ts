const HEADING = /^\s{0,3}#{1,6}\s+\S/;
const BOLD_LINE = /^\s*(?:\*\*|__)[^*_\n]{1,120}(?:\*\*|__):?\s*$/;
const UNDERLINE = /^\s*(?:={3,}|-{3,})\s*$/;
const DIVIDER = /^\s*(?:(?:\*\s?){3,}|(?:-\s?){3,}|(?:_\s?){3,}|={3,}|~{3,}|#{3,})\s*$/;
/** Talk to the reader around the work: "Sure! Here is the text.", "Let me know if it needs changes." */
const CHATTER =
  /^\s*(?:(?:sure|certainly|of course|absolutely|okay|great question)\b[,!.]|here(?:['’]s| is| are) |let me know\b|i hope (?:this|that|it)\b|feel free to\b|would you like me\b|is there anything else\b).{0,200}$/i;

export const isChatter = (line: string): boolean => CHATTER.test(line);
export const isHeading = (line: string): boolean => HEADING.test(line);
export const isDivider = (line: string): boolean => DIVIDER.test(line);
export const isBoldLine = (line: string): boolean => BOLD_LINE.test(line);

/** Shortens long white space, which says nothing about a layout and only takes time. */
export const condenseSpace = (text: string): string =>
  text.trim().replace(/\s{20,}/g, (space) => (space.includes("\n") ? "\n\n" : " "));

/** Returns the lines that are not empty. */
export const listLines = (text: string): string[] =>
  text.split("\n").filter((line) => line.trim() !== "");

/** Splits a text at empty lines; headings and dividers are blocks of their own. */
export function listBlocks(text: string): string[] {
  const blocks: string[][] = [[]];
  const lines = replaceFencedBlocks(text, "```").split("\n");
  for (const [index, line] of lines.entries()) {
    const isOwnBlock = isHeading(line) || isDivider(line) || isBoldLine(line);
    if (line.trim() === "") blocks.push([]);
    else if (isOwnBlock && !isUnderline(line, lines[index - 1])) blocks.push([line], []);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
}

/** Underlines the heading above it instead of dividing. */
const isUnderline = (line: string, above = ""): boolean =>
  UNDERLINE.test(line) && above.trim() !== "" && above.length < 80;

export interface ListItem {
  /** The item without its marker. */
  text: string;
  indent: number;
  isNumbered: boolean;
}

const NUMBER =
  "(?:(?:step|tip|reason|way|idea|item|point|question|number|rule|no\\.|#)\\s?)?\\(?\\d{1,3}[.):]|(?:step|tip|reason|way|idea|rule) \\d{1,3}\\b|\\d\\uFE0F?\\u20E3";
const MARKER =
  "\\(?[a-zA-Z][.)]|(?:[-*•‣◦▪●○■□➤➢►▶✓–—·+]|\\p{Extended_Pictographic}\\uFE0F?)(?=\\s)";
const ITEM = new RegExp(
  `^(?<indent>\\s*)(?:>\\s?)?(?:[-*+]\\s+(?=\\*\\*\\d))?(?:#{1,6}\\s+)?(?:\\*\\*|__)?(?:(?<number>${NUMBER})|${MARKER})\\s*(?:\\*\\*|__)?\\s*(?<text>\\S.*)$`,
  "iu",
);

/** Returns the items of all bulleted and numbered lists, headings such as "## 1. Name" included. */
export function listItems(text: string): ListItem[] {
  return replaceFencedBlocks(text, "")
    .split("\n")
    .flatMap((line) => {
      const groups = isDivider(line) ? undefined : ITEM.exec(line.slice(0, 2_000))?.groups;
      if (!groups?.text) return [];
      const indent = groups.indent?.replaceAll("\t", "    ").length ?? 0;
      return [{ text: groups.text, indent, isNumbered: groups.number !== undefined }];
    });
}

/** Returns the items of the outermost level. */
export function selectTopLevel(items: readonly ListItem[]): ListItem[] {
  const outermost = items.reduce(
    (low, { indent }) => Math.min(low, indent),
    Number.POSITIVE_INFINITY,
  );
  return items.filter(({ indent }) => indent <= outermost + 1);
}

export interface FencedBlock {
  /** First word after the fence in lower case; empty if there is none. */
  language: string;
  code: string;
}

/** Returns the fenced code blocks of a Markdown text, including an unclosed last one. */
export function extractFencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { fence: string; language: string; lines: string[] } | null = null;
  const close = () => {
    if (open) blocks.push({ language: open.language, code: open.lines.join("\n") });
    open = null;
  };
  for (const line of text.split("\n")) {
    const fence = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (open !== null) {
      if (fence?.startsWith(open.fence) && line.trim() === fence) close();
      else open.lines.push(line);
    } else if (fence) {
      const info = line.slice(line.indexOf(fence) + fence.length).trim();
      open = { fence, language: (info.split(/[\s{,]/)[0] ?? "").toLowerCase(), lines: [] };
    }
  }
  close();
  return blocks;
}

/** Replaces every fenced code block of a Markdown text. */
export function replaceFencedBlocks(text: string, replacement: string): string {
  return text.replace(/(```|~~~)[\s\S]*?(\1|$)/g, replacement);
}
