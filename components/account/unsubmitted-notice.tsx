"use client";

import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { useStoredPayments } from "./payments/stored-payments";

/** Links to payments of an earlier visit that were not submitted. */
export function UnsubmittedNotice({ wallet }: { wallet: string }) {
  const payments = useStoredPayments(wallet);
  const [first] = payments;
  if (!first) return null;
  const hasAnswer = payments.some(({ action }) => action === "answer");
  const page = hasAnswer ? "/dashboard/disputes" : "/dashboard/outcomes";
  return (
    <Notice role="status" title="You sent a payment that isn't submitted yet">
      It doesn't count until you{" "}
      <TextLink
        href={first.action === "agreement" ? `/agreements/${first.id}` : page}
        prefetch={false}
        className="font-medium"
      >
        submit it
      </TextLink>
      .
    </Notice>
  );
}
