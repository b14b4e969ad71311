import type { Delivered } from "@/server/judging/requirements/delivered";
import type { RequirementName, RequirementOf } from "@/server/judging/requirements/schema";
import { decideMaxBytes, decideMediaType, decideSha256 } from "./decide-files";
import {
  decideCsv,
  decideHtml,
  decideJson,
  decideJsonLines,
  decideXml,
  decideYaml,
} from "./decide-formats";
import { decideLanguage } from "./decide-language";
import {
  decideCharacterCount,
  decideListItemCount,
  decideParagraphCount,
  decideSentenceCount,
  decideWordCount,
} from "./decide-length";
import { decideCodeBlock, decideMarkdownTable, decideSections } from "./decide-structure";
import { decideSum, decideValue } from "./decide-values";
import {
  decideContains,
  decideEndsWith,
  decideExcludes,
  decideLetterCase,
  decideMatches,
  decideStartsWith,
} from "./decide-words";
import { type Decide, type Decision, describeUnreadable, OVER_LIMITS, Reading } from "./reading";

/** What can be decided without a program or a page: the other checks need the sandbox or a fetch. */
type TextCheckName = Exclude<
  RequirementName,
  "parses" | "examples" | "tests" | "links-respond" | "quotes-found"
>;
export type TextRequirement = RequirementOf<TextCheckName>;

const DECISIONS: { [Name in TextCheckName]: Decide<Name> } = {
  "word-count": decideWordCount,
  "character-count": decideCharacterCount,
  "sentence-count": decideSentenceCount,
  "paragraph-count": decideParagraphCount,
  "list-item-count": decideListItemCount,
  contains: decideContains,
  excludes: decideExcludes,
  "starts-with": decideStartsWith,
  "ends-with": decideEndsWith,
  language: decideLanguage,
  "letter-case": decideLetterCase,
  matches: decideMatches,
  json: decideJson,
  "json-lines": decideJsonLines,
  csv: decideCsv,
  yaml: decideYaml,
  xml: decideXml,
  html: decideHtml,
  "markdown-table": decideMarkdownTable,
  sections: decideSections,
  "code-block": decideCodeBlock,
  value: decideValue,
  sum: decideSum,
  sha256: decideSha256,
  "media-type": decideMediaType,
  "max-bytes": decideMaxBytes,
};

const FILE_CHECKS: readonly string[] = ["sha256", "media-type", "max-bytes"];

/** Decides requirements in their order. Runs in a worker thread: it is slow for hostile texts. */
export function decideTexts(
  delivered: Delivered,
  requirements: readonly TextRequirement[],
): Decision[] {
  const reading = new Reading(delivered);
  return requirements.map((requirement) => {
    const isReadable =
      delivered.text !== null ||
      (delivered.file !== null && FILE_CHECKS.includes(requirement.check));
    return isReadable ? decide(reading, requirement) : describeUnreadable(delivered);
  });
}

function decide(reading: Reading, requirement: TextRequirement): Decision {
  try {
    const decision = DECISIONS[requirement.check] as (
      reading: Reading,
      requirement: TextRequirement,
    ) => Decision;
    return decision(reading, requirement);
  } catch (error) {
    // A text or schema so deep that it exhausts the stack.
    if (error instanceof RangeError) return OVER_LIMITS;
    throw error;
  }
}
