"use client";

import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { useStoredPayments } from "./payments/stored-payments";

/** Links to payments of an earlier visit that were not submitted. */
export function UnsubmittedNotice({ wallet }: { wallet: string }) {
  const [first] = useStoredPayments(wallet);
  if (!first) return null;
  return (
    <Notice role="status" title="You sent a payment that isn't submitted yet">
      It doesn't count until you{" "}
      <TextLink
        href={first.action === "agreement" ? `/agreements/${first.id}` : "/dashboard/outcomes"}
        prefetch={false}
        className="font-medium"
      >
        submit it
      </TextLink>
      .
    </Notice>
  );
}
