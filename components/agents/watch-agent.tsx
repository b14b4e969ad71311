import { CopyButton } from "@/components/ui/copy-button";
import { TextLink } from "@/components/ui/text-link";

interface Props {
  /** Base URL of the site, without a trailing slash. */
  url: string;
  walletAddress: string;
}

/** Explains how programs follow an agent by feed or webhook, without an account. */
export function WatchAgent({ url, walletAddress }: Props) {
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p className="text-muted">
        Feed of outcomes, disputes and tier changes. Or{" "}
        <TextLink href="/docs/operations/watch-agent">a webhook</TextLink>.
      </p>
      <p className="flex items-center gap-3 rounded-md bg-sunken px-3 py-2">
        <a href={feed} className="min-w-0 flex-1 py-1 break-all text-accent hover:underline">
          {feed}
        </a>
        <CopyButton text={feed} label="Copy the feed's URL" />
      </p>
    </div>
  );
}
