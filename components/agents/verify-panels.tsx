import type { z } from "zod";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { CopyLine } from "@/components/ui/code-block";
import { FoldedPanel } from "@/components/ui/panel";
import type { networkSchema } from "@/server/chain/schema";
import { isolateText } from "@/server/lib/bidi";

interface WalletProps {
  /** Base URL of this service, without a trailing slash. */
  url: string;
  wallet: string;
}

interface SignedStatementProps extends WalletProps {
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
    <FoldedPanel
      id="statement"
      title="Signed statement"
      note={`The score, signed for smart contracts; valid for ${formatDuration(statements.validSeconds * 1_000)}.`}
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
        <CopyLine text={`npm run verify -- --url ${url}${node} --statement ${file}`} />
      </div>
    </FoldedPanel>
  );
}

/** Shows the current badge and the snippets that embed it. */
export function EmbeddedBadge({ url, wallet, name }: WalletProps & { name: string }) {
  const page = `${url}/agents/${wallet}`;
  // Strips characters that Markdown or HTML would interpret.
  const safeName = name.replace(/[^\p{L}\p{N} .,'_-]/gu, "").trim() || wallet;
  const snippets = [
    ["Markdown", `[![${safeName} on Standing](${page}/badge.svg)](${page})`],
    ["HTML", `<a href="${page}"><img src="${page}/badge.svg" alt="${safeName} on Standing"></a>`],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-4">
      {/* biome-ignore lint/performance/noImgElement: a live SVG has nothing to optimise. */}
      <img
        src={`/agents/${wallet}/badge.svg`}
        alt={`Badge of ${isolateText(name)}`}
        height={24}
        className="h-6"
      />
      {snippets.map(([language, code]) => (
        <div key={language} className="grid grid-cols-1 gap-1">
          <p className="text-sm text-muted">{language}</p>
          <CopyLine text={code} label={`Copy ${language}`} />
        </div>
      ))}
    </div>
  );
}
