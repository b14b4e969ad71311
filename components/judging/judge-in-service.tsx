import { Fact } from "@/components/ui/fact";
import { formatDateTime } from "@/components/ui/format";
import type { JudgeInService as Judge } from "@/server/judging/schema";
import { JudgeAbilities } from "./judge-abilities";

/** Shows the current judge, its version and whether it is available. */
export function JudgeInService({ judge }: { judge: Judge }) {
  return (
    <>
      <JudgeAbilities kind={judge.kind} />
      {judge.status === "unavailable" && (
        <p className="mt-4 rounded-md bg-notice px-4 py-3 text-notice-ink">
          Unavailable{judge.since && ` since ${formatDateTime(judge.since)}`}. {judge.reason}{" "}
          Outcomes wait and are retried automatically; no other judge steps in.
        </p>
      )}
      <dl className="mt-5 grid gap-4 sm:grid-cols-3">
        <Fact label="Status">{judge.status === "ok" ? "In service" : "Unavailable"}</Fact>
        <Fact label="Judge">
          <span className="break-words">{judge.id}</span>
          {judge.version !== judge.id && (
            <span className="block text-sm text-muted">{judge.version}</span>
          )}
        </Fact>
        <Fact label="Calibration">
          {judge.calibration ?? "none"}
          {judge.calibration?.startsWith("unfitted") && (
            <span className="block text-sm text-muted">not yet fitted to labelled cases</span>
          )}
        </Fact>
      </dl>
    </>
  );
}
