import type { Metadata } from "next";
import { UntrustedText } from "@/components/site/untrusted-text";
import { Button } from "@/components/ui/button";
import { shortenHex } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { FullLink } from "@/components/ui/text-link";
import { emailPageQuery } from "@/server/alerts/schema";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "E-mail alerts", robots: { index: false } };

const BUTTONS = { confirm: "Confirm this address", unsubscribe: "Stop all mail" } as const;

const RESULTS = {
  confirm: [
    "done",
    "Address confirmed",
    "We mail it a day before each deadline of your agent, and when a watched agent's tier or risks change.",
  ],
  unsubscribe: [
    "done",
    "Address deleted",
    "It gets no more mail. Your watched agents stay on your list.",
  ],
  invalid: [
    "warning",
    "This link is no longer valid",
    "It was used, is more than 24 hours old, or its address was removed. Add your address again under Alerts.",
  ],
  none: ["warning", "Nothing to do here", "This page opens from the links in our mails."],
} as const;

/** Where the links in mails lead. Opening it changes nothing, since mail scanners open links too. */
export default async function EmailPage({ searchParams }: PageProps<"/email">) {
  const { action, id, token, result = "none" } = parsePageQuery(emailPageQuery, await searchParams);
  const link = action && id && token ? { id, token } : null;
  const linked = link && (await resolveOrNull((await getPageApi()).alerts.linked(link)));
  const [kind, title, text] = RESULTS[link ? "invalid" : result];
  return (
    <div className="grid max-w-prose gap-6">
      <PageTitle>E-mail alerts</PageTitle>
      {action && link && linked ? (
        <form method="post" action={`/email/${action}?${new URLSearchParams(link)}`}>
          <p className="mb-4 break-words">
            Alerts of <UntrustedText>{linked.name}</UntrustedText> ({shortenHex(linked.wallet)}) to{" "}
            <bdi className="font-medium">{linked.address}</bdi>
          </p>
          <Button type="submit" variant="primary">
            {BUTTONS[action]}
          </Button>
        </form>
      ) : (
        <Notice kind={kind} role="status" title={title}>
          {text}
        </Notice>
      )}
      <p className="text-muted">
        Your address and watched agents are on your dashboard under{" "}
        <FullLink href="/dashboard/alerts">Alerts</FullLink>.
      </p>
    </div>
  );
}
