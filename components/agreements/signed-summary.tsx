import { formatDateTime } from "@/components/ui/format";
import type { Terms } from "@/server/agreements/schema";

interface Props {
  summary: string;
  terms: Pick<Terms, "payment" | "startBy">;
}

/** Shows to a party that is about to sign what its wallet shows, and what an escrow can't return. */
export function SignedSummary({ summary, terms: { payment, startBy } }: Props) {
  return (
    <>
      <p className="text-sm text-muted">
        Your wallet shows this summary. Signing is free and moves no money.
      </p>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm break-words">{summary}</p>
      {payment === "escrow" && (
        <p className="text-sm text-muted">
          The client funds an escrow by {formatDateTime(startBy)}, and the verdict releases it. A
          dispute after release moves the score, not the money.
        </p>
      )}
    </>
  );
}
