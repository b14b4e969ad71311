import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { findFunctionName, findTaskLanguage } from "@/server/judging/checks/code/task-code";
import { findInlineAssertions, findJavaScriptAssertions, findPythonAssertions } from "./assertions";
import { findDoctests } from "./doctests";
import { findInputOutputExamples } from "./input-output";
import { findStatedCalls } from "./stated-calls";
import { findStatedPairs, findStatedValues, findTableExamples } from "./stated-values";

const MAX_EXAMPLES = 30;
const ANY_ORDER =
  /\bin any order\b|\border (?:of [^.]{0,40})?(?:does not|doesn['’]t|is not|isn['’]t) (?:matter|important)|\bany (?:valid )?order\b|\bregardless of (?:the )?order\b/i;
/** Matches tasks that accept more than one result. */
const IS_AMBIGUOUS =
  /\bany (?:one )?of (?:them|the (?:valid|possible|correct))|\bany (?:valid|correct) (?:answer|solution|one)|\bmultiple (?:valid|correct|possible) (?:answers|solutions|outputs)|\breturn any\b|\bif there are (?:multiple|several)[^.]{0,60}\bany\b/i;
/** Matches tasks whose results change from run to run. */
const IS_RANDOM =
  /\brandom(?:ly|ize[sd]?|ness)?\b|\bshuffled?\b|\b(?:today['’]?s? date|current (?:date|time))\b|\bnow\(\)/i;

/** Finds the examples that a task gives for the code it asks for. */
export function findExamples(task: string): CodeExample[] {
  if (IS_AMBIGUOUS.test(task) || (IS_RANDOM.test(task) && !/\bseed\b/i.test(task))) return [];
  const name = findFunctionName(task);
  const found = [
    ...findPythonAssertions(task, name),
    ...findInlineAssertions(task),
    ...findJavaScriptAssertions(task),
    ...findDoctests(task),
    ...findStatedCalls(task, name, !/^(?:java|type)script$/.test(findTaskLanguage(task) ?? "")),
    ...findStatedValues(task, name),
    ...findTableExamples(task, name),
    ...findStatedPairs(task, name),
    ...findInputOutputExamples(task, name),
  ];
  const isUnordered = ANY_ORDER.test(task) || undefined;
  return removeDuplicates(found)
    .slice(0, MAX_EXAMPLES)
    .map((example) =>
      isUnordered && (example.kind === "value" || example.kind === "arguments")
        ? { ...example, isUnordered }
        : example,
    );
}

function removeDuplicates(examples: CodeExample[]): CodeExample[] {
  const seen = new Set<string>();
  return examples.filter((example) => {
    const key = "call" in example ? example.call.replace(/\s/g, "") : JSON.stringify(example);
    return seen.size < seen.add(key).size;
  });
}
