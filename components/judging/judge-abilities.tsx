import { MarkIcon } from "@/components/ui/mark";
import type { JudgeInService } from "@/server/judging/schema";

const ABILITIES = {
  llm: {
    can: "Two examinations say whether a fair client would accept the work; code checks plain limits, quotations and programs.",
    cannot: "Isn't proof. It can be wrong, and doesn't see what happened outside the deliverable.",
  },
  heuristic: {
    can: "Code decides on refusals, cut-off work, plain limits, quotations and programs.",
    cannot:
      "No language model, so it can't assess writing, advice or reasoning. What it can't check doesn't move a score.",
  },
} as const;

interface Judge {
  kind: "llm" | "heuristic" | "gate";
  id: string;
  models?: string[];
}

/** Names who decides: models by their names, code by what it does. */
export const nameJudge = ({ kind, id, models }: Judge): string =>
  models?.join(" and ") || (kind === "llm" ? id : nameCode(kind, id));

function nameCode(kind: "heuristic" | "gate", id: string) {
  if (kind === "heuristic") return "automated checks";
  return id.startsWith("concession/")
    ? "the other party's concession"
    : "a rule on work without text";
}

/** What happens to outcomes during an outage. */
export const DURING_OUTAGE =
  "No other judge steps in, but if one of two models is down, the other examines twice: after ten minutes, under an agreement after an hour, in a dispute never. A success then has no weight, and a failure a confidence of at most 75%.";

/** States what a kind of judge can and cannot do, in one sentence each. */
export function JudgeAbilities({ kind }: Pick<JudgeInService, "kind">) {
  const { can, cannot } = ABILITIES[kind];
  const marked = [
    ["yes", can],
    ["no", cannot],
  ] as const;
  return (
    <ul className="grid gap-2 text-sm">
      {marked.map(([mark, text]) => (
        <li key={mark} className="flex gap-2.5">
          <MarkIcon mark={mark} />
          {text}
        </li>
      ))}
    </ul>
  );
}
