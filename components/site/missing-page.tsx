"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { shortenHex } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";

// On the server the path continues: see `server/http/missing-pages.ts`.
const AGENT = /^\/agents\/([^/]+)/;
const WALLET = /^0x[0-9a-f]{40}$/i;
const IDENTIFIER = /0x[0-9a-f]{64}|0x[0-9a-f]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Says what is missing at the page's path, and offers a search for an identifier in it. */
export function MissingPage() {
  const path = usePathname();
  const hasPage = useSearchParams().has("page");
  const [agentPath, wallet] = AGENT.exec(path) ?? [];
  if (wallet && !WALLET.test(wallet)) {
    return (
      <Message title="Not a wallet address">
        An address is 0x and 40 hexadecimal digits. A mistyped letter can also fail its checksum.
      </Message>
    );
  }
  if (hasPage) {
    return (
      <Message title="Page not found">
        The list has fewer pages.{" "}
        <TextLink href={agentPath ?? path.replace(/\/-\/-$/, "")}>Go to the first page</TextLink>
      </Message>
    );
  }
  if (wallet) {
    return (
      <Message title="Unknown wallet">
        No agent is registered for <span className="font-mono break-all">{wallet}</span>, and no
        recorded outcome names it. There is no evidence for or against it.
      </Message>
    );
  }
  const [key] = IDENTIFIER.exec(path) ?? [];
  return (
    <Message title="Page not found">
      The address may be mistyped.{" "}
      {key && (
        <>
          <TextLink href={`/search?q=${key}`}>Search all records for {shortenHex(key)}</TextLink>,
          including those of unregistered agents.
        </>
      )}
    </Message>
  );
}

function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="mt-1 text-3xl font-semibold">{title}</h1>
      <p className="mt-3 mb-6 text-muted">{children}</p>
    </>
  );
}
