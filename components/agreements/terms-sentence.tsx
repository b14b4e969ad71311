import type { ReactNode } from "react";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import type { Terms } from "@/server/agreements/schema";

interface Props {
  /** Names of the parties. */
  contractor: ReactNode;
  client: ReactNode;
  title: string | undefined;
  valueUsdc: number;
  payment: Terms["payment"];
  /** ISO 8601. */
  deliverBy: string;
}

export const PAYMENTS: Record<Terms["payment"], string> = {
  upfront: "paid upfront",
  escrow: "held in escrow",
  "on-delivery": "paid on delivery",
};

/** Says who delivers what to whom, until when and for how much. */
export function TermsSentence({ contractor, client, title, ...terms }: Props) {
  const { valueUsdc, payment, deliverBy } = terms;
  return (
    <>
      {contractor} delivers {title ? <q>{<UntrustedText>{title}</UntrustedText>}</q> : "the task"}{" "}
      to {client} by{" "}
      <time dateTime={deliverBy} className="whitespace-nowrap">
        {formatDateTime(deliverBy)}
      </time>
      , for <span className="whitespace-nowrap">{formatUsdc(valueUsdc)}</span>
      {valueUsdc > 0 && ` ${PAYMENTS[payment]}`}.
    </>
  );
}
