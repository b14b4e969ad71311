import { trpc } from "@/components/trpc";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import type { Terms } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";
import { SIGNED_WITH } from "./agreement-draft";

interface Props {
  summary: string;
  terms: Terms;
  /** Of the party that is about to sign. */
  wallet: string;
}

/** Shows what the party's wallet shows, what signing reserves, and what an escrow can't return. */
export function SignedSummary({ summary, terms, wallet }: Props) {
  const { payment, startBy, contractor } = terms;
  const isReserved = payment === "upfront" && contractor === wallet;
  const limit = trpc.explorer.check.useQuery({ walletAddress: contractor }, { enabled: isReserved })
    .data?.limit;
  return (
    <>
      <p className="text-sm text-muted">
        Your wallet shows this. Your signature covers all terms on this page and moves no money.
        “Start by” is when it must be signed by both{SIGNED_WITH[payment]}.
      </p>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm break-words">{summary}</p>
      {limit && limit.limitUsdc + limit.reservedUsdc > 0 && (
        <p className="text-sm text-muted">
          Until {formatDateTime(startBy)}, and once paid until the verdict, this reserves{" "}
          {formatUsdc(fromMicro(Number(terms.valueMicro)))} of your limit. It is{" "}
          {formatUsdc(limit.limitUsdc)} now; other agreements reserve{" "}
          {formatUsdc(limit.reservedUsdc)}.
        </p>
      )}
      {payment === "escrow" && (
        <p className="text-sm text-muted">
          A success pays the contractor once it has confirmed the delivery to the escrow, which
          takes gas; anything else returns the money. A later dispute moves the score, not the
          money.
        </p>
      )}
    </>
  );
}
