import { Icon } from "@/components/ui/icon";
import type { JudgeInService } from "@/server/judging/schema";

const ABILITIES = {
  llm: {
    can: "Weighs every requirement in three votes that must quote the work; code checks numbers, formats, sources and programs.",
    cannot: "Isn't proof. It can be wrong, and doesn't see what happened outside the deliverable.",
  },
  heuristic: {
    can: "Checks in code: lengths, formats, arithmetic, sources, programs.",
    cannot:
      "No language model, so it can't assess writing, advice or judgment. What it can't check doesn't move a score.",
  },
} as const;

/** States what a kind of judge can and cannot do, in one sentence each. */
export function JudgeAbilities({ kind }: Pick<JudgeInService, "kind">) {
  const { can, cannot } = ABILITIES[kind];
  return (
    <ul className="grid gap-2 text-sm">
      <li className="flex gap-2.5">
        <Icon
          path="M4.5 10.5l3.5 3.5 7.5-8"
          className="mt-px size-4.5 shrink-0 text-good"
          strokeWidth={2.2}
        />
        <span>{can}</span>
      </li>
      <li className="flex gap-2.5">
        <Icon
          path="M5.5 5.5l9 9m0-9l-9 9"
          className="mt-px size-4.5 shrink-0 text-bad"
          strokeWidth={2.2}
        />
        <span>{cannot}</span>
      </li>
    </ul>
  );
}
