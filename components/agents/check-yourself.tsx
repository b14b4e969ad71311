import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  /** Where this service is reached. */
  url: string;
  wallet: string;
  /** The service names a node itself, as a local one does. */
  namesNode: boolean;
}

/** The command that recomputes this very profile from the chain. */
export function CheckYourself({ url, wallet, namesNode }: Props) {
  const node = namesNode ? "" : " --rpc URL_OF_A_NODE";
  const command = `npm run verify -- --url ${url}${node} ${wallet}`;
  return (
    <div className="grid gap-3">
      <p>
        Score and verdicts follow from public records alone. This command reads those from the
        chain, recomputes them and says what differs:
      </p>
      <div className="flex items-start gap-3 rounded-md bg-sunken p-3">
        <code className="min-w-0 flex-1 text-[0.8125rem] break-all">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className="text-sm text-muted">
        Run it in a checkout of Standing. The records are also{" "}
        <a href="/api/v1/ledger" className="underline underline-offset-2 hover:text-ink">
          one download
        </a>
        , which <code>npm run score</code> takes as it is.
      </p>
    </div>
  );
}
