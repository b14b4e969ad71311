"use client";

import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { useStoredPayments } from "./payments/stored-payments";

/** Where the form of a payment is, before the id of what is paid for. */
const PLACES = {
  open: "/dashboard/outcomes?outcome=",
  refund: "/dashboard/outcomes?outcome=",
  answer: "/dashboard/disputes?dispute=",
  agreement: "/agreements/",
};

/** Links to the form of a payment of an earlier visit that was not submitted. */
export function UnsubmittedNotice({ wallet }: { wallet: string }) {
  const [first] = useStoredPayments(wallet);
  if (!first) return null;
  return (
    <Notice role="status" title="You sent a payment that isn't submitted yet">
      It doesn't count until you{" "}
      <TextLink href={`${PLACES[first.action]}${first.id}`} className="font-medium">
        submit it
      </TextLink>
      .
    </Notice>
  );
}
