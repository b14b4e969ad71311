import type { Metadata } from "next";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Button } from "@/components/ui/button";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { emailPageQuery } from "@/server/alerts/schema";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "E-mail alerts", robots: { index: false } };

const BUTTONS = { confirm: "Confirm this address", unsubscribe: "Stop all mail" } as const;

const RESULTS = {
  confirm: ["done", "Address confirmed", "You'll get alerts from now on."],
  unsubscribe: ["done", "Address deleted", "You'll get no more mail."],
  invalid: ["warning", "This link is no longer valid", "Add your address again under Alerts."],
} as const;

/** Where the links in mails lead. Opening it changes nothing, since mail scanners open links too. */
export default async function EmailPage({ searchParams }: PageProps<"/email">) {
  const { action, id, token, result } = parsePageQuery(emailPageQuery, await searchParams);
  const isAsked = action && id && token;
  const linked =
    isAsked && (await resolveOrNull((await getPageApi()).alerts.linked({ id, token })));
  const shown = isAsked && !linked ? "invalid" : result;
  const [kind, title, text] = shown ? RESULTS[shown] : [];
  return (
    <div className="grid max-w-prose gap-6">
      <PageTitle>E-mail alerts</PageTitle>
      {kind && (
        <Notice kind={kind} role="status" title={title}>
          {text}
        </Notice>
      )}
      {isAsked && linked && (
        <form method="post" action={`/email/${action}?${new URLSearchParams({ id, token })}`}>
          <p className="mb-4 break-words">
            Alerts of <UntrustedText>{linked.name}</UntrustedText> ({shortenHex(linked.wallet)}) to{" "}
            <bdi className="font-medium">{linked.address}</bdi>
          </p>
          <Button type="submit" variant="primary">
            {BUTTONS[action]}
          </Button>
        </form>
      )}
      <p className="text-muted">
        Your address and watched agents are on your dashboard under{" "}
        <OwnerPageLink href="/dashboard/alerts" className="underline underline-offset-2">
          Alerts
        </OwnerPageLink>
        .
      </p>
    </div>
  );
}
