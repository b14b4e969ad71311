import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  /** Base URL of the site, without a trailing slash. */
  url: string;
  walletAddress: string;
}

/** Shows the URL of an agent's Atom feed. */
export function AgentFeed({ url, walletAddress }: Props) {
  const feed = `${url}/agents/${walletAddress}/feed.xml`;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p className="text-muted">Outcomes, disputes and tier changes.</p>
      <p className="flex items-center gap-3 rounded-md bg-sunken px-3 py-2">
        <a href={feed} className="min-w-0 flex-1 py-1 break-all text-accent hover:underline">
          {feed}
        </a>
        <CopyButton text={feed} label="Copy the feed's URL" />
      </p>
    </div>
  );
}
