import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import { asksForCode } from "@/server/judging/checks/text/code-tasks";
import { replaceFencedBlocks } from "@/server/judging/checks/text/fenced-blocks";
import { listStatements } from "@/server/judging/checks/text/statements";

/** Returns the sentences that state something firmly, unless the task asks for a program. */
const listFirmStatements = (task: string): string[] =>
  asksForCode(task)
    ? []
    : listStatements(task)
        .filter(({ isHedged }) => !isHedged)
        .map(({ text }) => text.slice(0, 1_000));

const proseSchema = z.strictObject({
  /** Which kinds of lists are forbidden. */
  bullets: z.boolean(),
  numbers: z.boolean(),
});
const FORBID =
  "(?:\\b(?:no|without(?: any| using(?: any)?)?|avoid(?: any| using(?: any)?)?|refrain from(?: using)?|(?:do not|don't|never|must not|should not|not to|not) (?:use|include|write|make|add|contain|give|have|be)(?: me)?(?: any)?)\\b(?: (?!more|fewer|less|longer|nested|sub|empty|blank|other|long|need|one|two)\\w+,?){0,2}? (?:or |and |a |an )?)";
const BULLETS = new RegExp(
  `${FORBID}(?:bullet(?:ed)?(?:[- ](?:points?|lists?))?s?|bullets)\\b(?! (?:longer|over|with|without|that|on|per|should|may))`,
  "i",
);
const NUMBERS = new RegExp(`${FORBID}(?:numbering|numbered (?:lists?|points?|items?))\\b`, "i");
const LISTS = new RegExp(
  `${FORBID}(?:lists?|list formatting|list format)\\b(?! (?:longer|over|with|without|that|of|on|the|all|at|any|more))|\\b(?:prose only|only prose|plain prose|continuous (?:prose|text)|running text|flowing (?:prose|text)|(?:not|rather than|instead of)(?: in| as)? (?:a |bullet(?:ed)? )?lists?|in (?:full|pure|connected|ordinary) prose)\\b`,
  "i",
);
const WANTS_LIST = /\b(?:bullet(?:ed|s)?|numbered|check-?list|lists?|enumerate)\b/i;
const BULLET_LINE = /^[ \t]{0,12}[-*•+‣◦–][ \t]+\S/gm;
const NUMBER_LINE = /^[ \t]{0,12}(?:\d{1,3}|[a-zA-Z])[.)][ \t]+\S/gm;
/** A single line may look like an item by chance. */
const MIN_ITEMS = 2;

/** Checks that the deliverable has no lists, if the task forbids them. */
export const NO_LISTS: TextCheck<z.infer<typeof proseSchema>> = {
  name: "no-lists",
  parameters: proseSchema,
  extract: (task) => {
    const statements = listFirmStatements(task);
    for (const statement of statements) {
      const isBoth = LISTS.test(statement);
      const bullets = isBoth || BULLETS.test(statement);
      const numbers = isBoth || NUMBERS.test(statement);
      if (!bullets && !numbers) continue;
      const wantsList = statements.some((other) => other !== statement && WANTS_LIST.test(other));
      if (!wantsList) {
        return [{ check: "no-lists", parameters: { bullets, numbers }, statement }];
      }
    }
    return [];
  },
  describe: ({ bullets, numbers }) =>
    bullets && numbers ? "No lists" : bullets ? "No bullet points" : "No numbering",
  forRubric: '{"bullets": true, "numbers": true}: which kinds of lists are forbidden',
  run: ({ text }, { bullets, numbers }): CheckResult => {
    const prose = replaceFencedBlocks(text, " ");
    const count =
      (bullets ? (prose.match(BULLET_LINE)?.length ?? 0) : 0) +
      (numbers ? (prose.match(NUMBER_LINE)?.length ?? 0) : 0);
    return count >= MIN_ITEMS
      ? { outcome: "fail", observed: `${count} list items` }
      : { outcome: "pass", observed: "no list" };
  },
};

const tagsSchema = z.strictObject({ tags: z.array(z.string().min(1).max(40)).min(1).max(20) });
const TAG = /<([a-z][\w-]{0,30})>/gi;
const DEMANDS_TAGS =
  /\b(?:wrap|enclose|put|place|surround|use|using|inside|within|between|with|in|output|write|contain|include)\b/i;
const VOID_TAGS = new Set(["br", "hr", "img", "input", "meta", "link"]);

/** Checks that the deliverable has the tags that the task names, opened and closed. */
export const TAGS: TextCheck<z.infer<typeof tagsSchema>> = {
  name: "tags",
  parameters: tagsSchema,
  extract: (task) =>
    listFirmStatements(task)
      .filter(
        (statement) =>
          DEMANDS_TAGS.test(statement) &&
          /\b(?:tags?|elements?|xml|html)\b|<\/[a-z]/i.test(statement) &&
          !/\b(?:not|never|n't|no|without|avoid|remove|strip|explain|what|given|input|inside the|text in|content of)\b|<</i.test(
            statement,
          ),
      )
      .map((statement) => ({
        statement,
        tags: [...new Set([...statement.matchAll(TAG)].map(([, tag = ""]) => tag.toLowerCase()))],
      }))
      .filter(({ tags }) => tags.length > 0)
      .slice(0, 1)
      .map(({ statement, tags }) => ({
        check: "tags",
        parameters: { tags: tags.slice(0, 20) },
        statement,
      })),
  describe: ({ tags }) =>
    tags.length === 1 ? "Has the named tag" : `Has ${tags.length} named tags`,
  forRubric: '{"tags": [names without brackets]}: XML or HTML tags, opened and closed',
  run: ({ text }, { tags }): CheckResult => {
    const lower = text.toLowerCase();
    const missing = tags.filter(
      (tag) =>
        !(lower.includes(`<${tag}>`) || lower.includes(`<${tag} `) || lower.includes(`<${tag}/`)) ||
        !(VOID_TAGS.has(tag) || lower.includes(`</${tag}>`) || lower.includes("/>")),
    );
    return missing.length === 0
      ? { outcome: "pass", observed: "all tags present" }
      : {
          outcome: "fail",
          observed: `${missing.length} of ${tags.length} tags missing or unclosed`,
          detail: `missing: ${missing.join(", ")}`,
        };
  },
};

const labelsSchema = z.strictObject({ labels: z.array(z.string().min(2).max(60)).min(1).max(20) });
const LABEL = /["“`]([^"”`\n]{1,40}:)["”`]/g;

/** Checks that the deliverable has the labels, ending with a colon, that the task quotes. */
export const LABELS: TextCheck<z.infer<typeof labelsSchema>> = {
  name: "labels",
  parameters: labelsSchema,
  extract: (task) =>
    listFirmStatements(task)
      .filter(
        (statement) =>
          /\b(?:lines?|label(?:s|led|ed)?|starts?|starting|begins?|beginning|prefix(?:ed)?|headed|headings?|ends?|preceded|introduced|use|mark(?:ed)?)\b/i.test(
            statement,
          ) &&
          !/\b(?:not|never|n't|no|without|avoid|remove|if|instead|for example|such as|eg|like|either|or)\b/i.test(
            statement,
          ),
      )
      .map((statement) => ({
        statement,
        labels: [...statement.matchAll(LABEL)].map(([, label = ""]) => label),
      }))
      .filter(
        ({ labels }) =>
          labels.length > 0 && labels.every((label) => !/[{}<[\]X]|https?:/.test(label)),
      )
      .slice(0, 1)
      .map(({ statement, labels }) => ({
        check: "labels",
        parameters: { labels: labels.slice(0, 20) },
        statement,
      })),
  describe: ({ labels }) =>
    labels.length === 1 ? "Has the named label" : `Has ${labels.length} named labels`,
  forRubric: '{"labels": [texts that end with a colon]}: labels of lines or parts',
  run: ({ text }, { labels }): CheckResult => {
    const plain = simplify(text);
    const missing = labels.filter((label) => !plain.includes(simplify(label)));
    return missing.length === 0
      ? { outcome: "pass", observed: "all labels present" }
      : {
          outcome: "fail",
          observed: `${missing.length} of ${labels.length} labels missing`,
          detail: `missing: ${missing.join(" ")}`,
        };
  },
};

/** Removes Markdown emphasis, white space and case: "**Law 1**:" is the label "Law 1:". */
const simplify = (text: string) => text.toLowerCase().replaceAll(/[*_#`\s]/g, "");
