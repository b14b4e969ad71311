import { JudgeAbilities, nameJudge } from "@/components/judging/judge-abilities";
import { MoreLink } from "@/components/ui/text-link";
import type { JudgeInService } from "@/server/judging/schema";

/** States what the judge in service can and cannot do. */
export function JudgeSummary({ judge }: { judge: JudgeInService }) {
  return (
    <section className="mt-10">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-2xl font-semibold">The judge</h2>
        <MoreLink href="/judge">{nameJudge(judge)}</MoreLink>
      </div>
      {judge.status === "unavailable" && (
        <p className="mt-3 rounded-md bg-notice px-3 py-2 text-sm text-notice-ink">
          Unavailable now. Jobs wait until it is back.
        </p>
      )}
      <div className="mt-3">
        <JudgeAbilities kind={judge.kind} />
      </div>
    </section>
  );
}
