"use client";

import { type ReactNode, useState } from "react";
import { trpc } from "@/components/trpc";
import { formatCount } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { ErrorNotice } from "@/components/wallet/error-notice";

interface FoldedTextProps {
  title: string;
  error: unknown;
  /** Whether it is open from the start. */
  isFirstOpen?: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Shows a private text, which is loaded when a party expands it. */
export function FoldedText({ title, error, isFirstOpen, onToggle, children }: FoldedTextProps) {
  return (
    <details
      open={isFirstOpen}
      // It may have been opened before it was interactive.
      ref={(element) => {
        if (element?.open) onToggle(true);
      }}
      className="my-2 text-sm"
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">{title}</summary>
      <ErrorNotice error={error} className="mt-2" />
      {children && (
        <p
          dir="auto"
          className="mt-2 max-h-80 overflow-y-auto rounded-md bg-sunken p-3 break-words whitespace-pre-line"
        >
          {children}
        </p>
      )}
    </details>
  );
}

interface DeliverableProps {
  outcomeId: string;
  isFirstOpen: boolean;
}

/** Shows a party the deliverable that was judged. */
export function Deliverable({ outcomeId, isFirstOpen }: DeliverableProps) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const work = trpc.outcomes.deliverable.useQuery({ outcomeId }, { enabled: isOpen, retry: false });
  const { encoding, deliverableContent, bytes, sha256 } = work.data ?? {};
  const file = `No text: GET /outcome/${outcomeId}/deliverable returns the file.`;
  return (
    <>
      <FoldedText
        title="Read the deliverable"
        error={work.error}
        isFirstOpen={isFirstOpen}
        onToggle={setOpen}
      >
        {encoding === "base64" ? file : deliverableContent}
      </FoldedText>
      {isOpen && sha256 && (
        <p className="mt-1 text-sm text-muted">
          {formatCount(bytes ?? 0, "byte")}, SHA-256 <Hex value={sha256} name="SHA-256" />
        </p>
      )}
    </>
  );
}
