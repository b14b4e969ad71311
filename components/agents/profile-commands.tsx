import type { z } from "zod";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { WrappedCommand } from "@/components/verify/wrapped-command";
import type { networkSchema } from "@/server/chain/schema";

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

interface SignedStatementProps {
  /** Base URL of this service. */
  url: string;
  wallet: string;
  network: z.infer<typeof networkSchema>;
}

/**
 * Offers the signed statement of a wallet's score, and shows how to check one. Shows nothing if the
 * service signs none.
 */
export function SignedStatement({
  url,
  wallet,
  network: { statements, rpcUrl },
}: SignedStatementProps) {
  if (!statements) return null;
  const node = rpcUrl ? "" : " --rpc URL_OF_A_NODE";
  const file = `statement-${wallet}.json`;
  return (
    <Panel
      id="statement"
      title="Signed statement"
      note={`The score, signed for smart contracts, valid for ${formatDuration(statements.validSeconds)}.`}
    >
      <div className="grid grid-cols-1 gap-3">
        <p>
          <a
            href={`/api/v1/reputation/${wallet}/statement`}
            download={file}
            className="inline-block rounded-md border border-line bg-raised px-4 py-2 font-medium hover:bg-sunken"
          >
            Download statement
          </a>
        </p>
        <p className="text-sm text-muted">Check it in a checkout of Standing:</p>
        <WrappedCommand command={`npm run verify -- --url ${url}${node} --statement ${file}`} />
      </div>
    </Panel>
  );
}

/** Returns a duration in the largest unit that divides it: `24 hours`, `90 minutes`. */
function formatDuration(seconds: number): string {
  const [unit, length] = seconds % 3_600 === 0 ? ["hour", 3_600] : ["minute", 60];
  const count = Math.round(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

interface ApiSnippetProps {
  /** Base URL of the API, without a trailing slash. */
  url: string;
  wallet: string;
  isRegistered: boolean;
}

/** Shows the request for this wallet's data. */
export function ApiSnippet({ url, wallet, isRegistered }: ApiSnippetProps) {
  // Only registered wallets have a profile in the API.
  const path = isRegistered ? `agents/${wallet}` : `reputation/${wallet}`;
  return (
    <div className="grid grid-cols-1 gap-3">
      <WrappedCommand command={`curl ${url}/api/v1/${path}`} />
      <p className="text-sm text-muted">
        <TextLink href="/docs" className="hover:text-ink">
          API reference
        </TextLink>
      </p>
    </div>
  );
}
