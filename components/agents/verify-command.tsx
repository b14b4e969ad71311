import { WrappedCommand } from "@/components/verify/wrapped-command";

interface Props {
  /** Base URL of this service. */
  url: string;
  wallet: string;
  /** Whether the service names its own node, as in local mode. */
  hasLocalNode: boolean;
}

/** Links to the check in the browser, and shows the command that does the same. */
export function VerifyCommand({ url, wallet, hasLocalNode }: Props) {
  const node = hasLocalNode ? "" : " --rpc URL_OF_A_NODE";
  const command = `npm run verify -- --url ${url}${node} ${wallet}`;
  return (
    <div className="grid gap-3">
      <p>Recompute score and verdicts from the on-chain records:</p>
      <p>
        {/* A full page load, so that the security policy of that page applies. */}
        <a
          href={`/verify?agent=${wallet}`}
          className="inline-block rounded-md border border-line bg-raised px-4 py-2 font-medium hover:bg-sunken"
        >
          Verify in the browser
        </a>
      </p>
      <WrappedCommand command={command} />
      <p className="text-sm text-muted">
        Run it in a checkout of Standing. Or{" "}
        <a href="/api/v1/ledger" className="underline underline-offset-2 hover:text-ink">
          download the ledger
        </a>{" "}
        and run <code>npm run score</code>.
      </p>
    </div>
  );
}
