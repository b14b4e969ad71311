import { VerdictMark } from "@/components/outcomes/verdict-mark";
import type { Dispute } from "@/server/disputes/schema";

/** Compares the original verdict with the final one. */
export function VerdictChange({ dispute }: { dispute: Dispute }) {
  const { recordedVerdict, finalVerdict } = dispute;
  return (
    <dl className="flex flex-wrap items-end gap-x-10 gap-y-4">
      <div>
        <dt className="text-sm text-muted">Original verdict</dt>
        <dd className="mt-1 text-2xl">
          <VerdictMark verdict={recordedVerdict} large />
        </dd>
      </div>
      {finalVerdict && (
        <div>
          <dt className="text-sm text-muted">
            {finalVerdict === recordedVerdict ? "Upheld" : "Overturned"}
          </dt>
          <dd className="mt-1 text-2xl">
            <VerdictMark verdict={finalVerdict} large />
          </dd>
        </div>
      )}
    </dl>
  );
}
