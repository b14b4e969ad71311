import { formatDateTime } from "@/components/ui/format";
import { Step } from "@/components/ui/step";

interface Props {
  /** An outcome or a dispute; recorded if it has a time. */
  record: { resolvedAt?: string | undefined };
  /** The preceding step, such as "the verdict". */
  after: string;
}

/** Shows when a verdict was recorded on chain, or that it is pending. */
export function RecordedStep({ record: { resolvedAt }, after }: Props) {
  return (
    <Step done={resolvedAt !== undefined} title="Recorded on chain">
      {resolvedAt ? formatDateTime(resolvedAt) : `After ${after}; both appear at the same time.`}
    </Step>
  );
}
