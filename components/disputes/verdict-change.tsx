import { VerdictMark } from "@/components/outcomes/verdict-mark";
import type { Dispute } from "@/server/disputes/schema";

/** The verdict as recorded first against the one that stands now. */
export function VerdictChange({ dispute }: { dispute: Dispute }) {
  const { recordedVerdict, finalVerdict } = dispute;
  return (
    <dl className="flex flex-wrap items-end gap-x-10 gap-y-4">
      <div>
        <dt className="text-sm text-muted">Recorded verdict</dt>
        <dd className="mt-1 text-2xl">
          <VerdictMark verdict={recordedVerdict} large />
        </dd>
      </div>
      {finalVerdict && (
        <div>
          <dt className="text-sm text-muted">
            {finalVerdict === recordedVerdict ? "After the dispute, the same" : "After the dispute"}
          </dt>
          <dd className="mt-1 text-2xl">
            <VerdictMark verdict={finalVerdict} large />
          </dd>
        </div>
      )}
    </dl>
  );
}
