"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  /** Base URL of the site, without a trailing slash. */
  url: string;
  walletAddress: string;
}

/** Explains how to follow an agent by feed or webhook, without an account. */
export function WatchAgent({ url, walletAddress }: Props) {
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p className="text-muted">Feed of outcomes, disputes and tier changes, for any reader:</p>
      <p className="flex items-center gap-3 rounded-md bg-sunken px-3 py-2">
        <a href={feed} className="min-w-0 flex-1 py-1 break-all text-accent hover:underline">
          {feed}
        </a>
        <CopyButton text={feed} label="Copy the feed's URL" />
      </p>
      <p className="mt-2 text-muted">
        Or a webhook. This creates it and returns the secret that signs its deliveries:
      </p>
      <CodeBlock code={buildCreateCommand(url, walletAddress)} name="create a watch" />
      <p className="mt-2 text-muted">
        Then confirm it: your endpoint gets one request and must return its challenge.
      </p>
      <CodeBlock code={buildConfirmCommand(url)} name="confirm a watch" />
    </div>
  );
}

const buildCreateCommand = (url: string, walletAddress: string) =>
  `curl ${url}/api/v1/agents/${walletAddress}/watch \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://you.example/hook"}'`;

const buildConfirmCommand = (url: string) =>
  `curl ${url}/api/v1/watches/WATCH_ID/confirm \\
  -H 'Content-Type: application/json' \\
  -d '{"token": "TOKEN"}'`;
