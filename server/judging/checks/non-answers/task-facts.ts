const NUMBER = /\d[\d.,\u00A0\u202F ]*\d|\d/g;
/** A capitalised word in the middle of a sentence. */
const NAME = /(?<=[\p{Ll},;:)\d] )\p{Lu}[\p{L}-]{2,}/gu;
/** Fewer facts may all be missing from good work. */
const MIN_FACTS = 3;

const listNumbers = (text: string): string[] =>
  (text.match(NUMBER) ?? []).map((number) => number.replace(/\D/g, ""));

/**
 * Returns whether a task gives several figures and names, and a deliverable mentions none of them, in
 * whatever language. Work on the task nearly always mentions one.
 */
export function ignoresFacts(task: string, text: string): boolean {
  const numbers = new Set(listNumbers(task).filter((number) => number.length > 1));
  const names = new Set(task.match(NAME)?.map((name) => name.toLowerCase()));
  if (numbers.size + names.size < MIN_FACTS) return false;
  const folded = text.toLowerCase();
  const own = new Set(listNumbers(text));
  return (
    ![...numbers].some((number) => own.has(number)) &&
    ![...names].some((name) => folded.includes(name))
  );
}
