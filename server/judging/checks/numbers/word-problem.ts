import { z } from "zod";
import type { TextCheck } from "@/server/judging/checks/check";
import { compareAnswer } from "./compare-answer";
import { PROBLEMS, solveWordProblem } from "./word-problems/solve-word-problem";

const parameters = z.strictObject({ problem: z.enum([...PROBLEMS]) });

/** Solves short word problems of known kinds, such as compound interest, and compares the answer. */
export const wordProblem: TextCheck<z.infer<typeof parameters>> = {
  name: "word-problem",
  parameters,
  extract(task) {
    const solution = solveWordProblem(task);
    return solution
      ? [{ check: "word-problem", parameters: { problem: solution.name }, statement: task.trim() }]
      : [];
  },
  describe: ({ problem }) => `Answers with the right ${problem}`,
  run: (input) => compareAnswer(input, solveWordProblem(input.task)?.values ?? [], "task"),
};
