import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Icon } from "@/components/ui/icon";

interface Props {
  /** Base URL of the site, without a trailing slash. */
  url: string;
  walletAddress: string;
}

/** Explains how to follow an agent by feed or webhook; opens without JavaScript. */
export function WatchAgent({ url, walletAddress }: Props) {
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  return (
    <details className="group relative">
      <summary className="inline-flex h-9 cursor-pointer list-none items-center gap-1.5 rounded-md border border-line bg-raised px-3 text-sm hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <Icon
          path="M4.2 11.2V7a3.8 3.8 0 017.6 0v4.2l1.4 1.3H2.8zM6.6 14.2h2.8"
          className="size-4"
          strokeWidth={1.4}
          box={16}
        />
        Watch
      </summary>
      <div className="absolute left-0 z-10 mt-2 w-[min(34rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-4 text-sm shadow-lg sm:right-0 sm:left-auto">
        <h2 className="font-sans font-medium">Feed</h2>
        <p className="mt-1.5 flex items-center gap-3 rounded-md bg-sunken px-3 py-2">
          <a href={feed} className="min-w-0 flex-1 break-all text-accent hover:underline">
            {feed}
          </a>
          <CopyButton text={feed} label="Copy the feed's URL" />
        </p>
        <p className="mt-1.5 text-muted">Outcomes, disputes and tier changes, for any reader.</p>
        <h2 className="mt-5 font-sans font-medium">Webhook</h2>
        <p className="mt-1.5 mb-2 text-muted">
          No account needed. Create it, and set your endpoint up with the secret:
        </p>
        <CodeBlock code={buildCreateCommand(url, walletAddress)} name="create a watch" />
        <p className="my-2 text-muted">
          Then confirm. Your endpoint gets one request and must return its challenge:
        </p>
        <CodeBlock code={buildConfirmCommand(url)} name="confirm a watch" />
      </div>
    </details>
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
