"use client";

import type { ReactNode } from "react";
import { trpc } from "@/components/trpc";
import { formatCount } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { LazyFold } from "@/components/ui/lazy-fold";
import { ErrorNotice } from "@/components/wallet/error-notice";

/** Shows a private text, or why it could not be loaded. */
function PrivateText({ error, children }: { error: unknown; children: ReactNode }) {
  return (
    <>
      <ErrorNotice error={error} />
      <p
        dir="auto"
        className="max-h-80 overflow-y-auto rounded-md bg-sunken p-3 break-words whitespace-pre-line empty:hidden"
      >
        {children}
      </p>
    </>
  );
}

interface DeliverableProps {
  outcomeId: string;
  isFirstOpen: boolean;
}

/** Shows a party the deliverable that was judged. */
export function Deliverable({ outcomeId, isFirstOpen }: DeliverableProps) {
  return (
    <LazyFold title="Read the deliverable" isFirstOpen={isFirstOpen}>
      <Judged outcomeId={outcomeId} />
    </LazyFold>
  );
}

function Judged({ outcomeId }: { outcomeId: string }) {
  const { data, error } = trpc.outcomes.deliverable.useQuery({ outcomeId }, { retry: false });
  const file = `No text: GET /outcome/${outcomeId}/deliverable returns the file.`;
  return (
    <>
      <PrivateText error={error}>
        {data?.encoding === "base64" ? file : data?.deliverableContent}
      </PrivateText>
      {data && (
        <p className="mt-1 text-muted">
          {formatCount(data.bytes, "byte")}, SHA-256 <Hex value={data.sha256} name="SHA-256" />
        </p>
      )}
    </>
  );
}

/** Shows the parties the deliverable that the contractor supplied in a dispute. */
export function SuppliedDeliverable({ disputeId }: { disputeId: string }) {
  return (
    <LazyFold title="Deliverable supplied by the contractor">
      <Supplied disputeId={disputeId} />
    </LazyFold>
  );
}

function Supplied({ disputeId }: { disputeId: string }) {
  const { data, error } = trpc.disputes.get.useQuery({ disputeId });
  return (
    <PrivateText error={error}>
      {data &&
        (data.private?.deliverableContent ?? "The deliverable is the contractor's document.")}
    </PrivateText>
  );
}
