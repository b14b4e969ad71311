import { Fact } from "@/components/ui/fact";
import { formatDateTime } from "@/components/ui/format";
import type { JudgeInService as Judge } from "@/server/judging/schema";

/** Which judge decides now, in which version, and whether it answers. */
export function JudgeInService({ judge }: { judge: Judge }) {
  return (
    <>
      <p>
        <span className="font-medium break-words">{judge.id}</span>
        <span className="text-muted"> decides new outcomes. {judge.note}</span>
      </p>
      {judge.status === "unavailable" && (
        <p className="mt-4 rounded-md bg-notice px-4 py-3 text-notice-ink">
          It has not been able to decide{judge.since && ` since ${formatDateTime(judge.since)}`}.{" "}
          {judge.reason} Outcomes wait meanwhile and are tried again by themselves; no other judge
          steps in.
        </p>
      )}
      <dl className="mt-5 grid gap-4 sm:grid-cols-3">
        <Fact label="State">
          {judge.status === "ok" ? "In service" : "Does not answer at present"}
        </Fact>
        <Fact label="Method, prompts and guides">{judge.version}</Fact>
        <Fact label="Calibration">
          {judge.kind === "heuristic"
            ? "none: its confidences are set by hand"
            : (judge.calibration ?? "none")}
          {judge.calibration?.startsWith("unfitted") && (
            <span className="block text-sm text-muted">not yet fitted to labelled cases</span>
          )}
        </Fact>
      </dl>
    </>
  );
}
