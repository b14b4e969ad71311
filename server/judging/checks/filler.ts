import type { AnyTextCheck, CheckInput } from "./check";

/** Texts that do no work, of several lengths and forms. */
const FILLERS: readonly string[] = [
  "Done.",
  "Thank you for your request. The work is complete and ready for review.",
  "this is a short text about the topic it gives a general overview and nothing more",
  "Here is the text you asked for. It covers the topic in general terms.\n\nThere are many aspects to consider. Each of them matters in its own way.",
  "This subject is important for many people, and it has several sides. Some of them are well known, others less so. In general, it is worth looking at the whole picture before coming to a conclusion. There are good reasons for one view, and there are good reasons for the other. What matters in the end is the situation at hand, together with the aims that one has.\n\nOverall, the subject offers a lot to think about. Careful planning helps, and so does a clear idea of the goal. With these things in mind, a good result is possible in most cases.",
  "## Overview\n\n- A first point\n- A second point\n- A third point\n\nThese points give a general idea of the subject.",
];
/** From this many of them on, passing a check says nothing about the work. */
const MIN_PASSING = 3;

/**
 * Returns whether many texts without content pass a check as well, such as "no commas" or "at most
 * 200 words". Passing it then does not support a `SUCCESS`.
 */
export function isPassedByFiller(
  check: AnyTextCheck,
  input: CheckInput,
  parameters: unknown,
): boolean {
  let passing = 0;
  // The longest fillers take most of the time; often the first ones decide.
  for (const text of FILLERS) {
    if (check.run({ ...input, text }, parameters).outcome === "pass") passing += 1;
    if (passing >= MIN_PASSING) return true;
  }
  return false;
}
