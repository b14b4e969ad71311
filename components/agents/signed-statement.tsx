import type { z } from "zod";
import { Panel } from "@/components/ui/panel";
import { WrappedCommand } from "@/components/verify/wrapped-command";
import type { networkSchema } from "@/server/chain/schema";

interface Props {
  /** Base URL of this service. */
  url: string;
  wallet: string;
  network: z.infer<typeof networkSchema>;
}

/**
 * Offers the signed statement of a wallet's score, and shows how to check one. Shows nothing if the
 * service signs none.
 */
export function SignedStatement({ url, wallet, network: { statements, rpcUrl } }: Props) {
  if (!statements) return null;
  const node = rpcUrl ? "" : " --rpc URL_OF_A_NODE";
  const file = `statement-${wallet}.json`;
  return (
    <Panel
      id="statement"
      title="Signed statement"
      note={`The score for contracts, valid for ${formatDuration(statements.validSeconds)}.`}
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
