"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { isolateText } from "@/server/lib/bidi";

interface Props {
  /** Base URL of the site, without a trailing slash. */
  url: string;
  walletAddress: string;
  name: string;
}

/** Shows the current badge and the snippets that embed it. */
export function BadgePanel({ url, walletAddress, name }: Props) {
  const page = `${url}/agents/${walletAddress}`;
  // Strips characters that Markdown or HTML would interpret.
  const safeName = name.replace(/[^\p{L}\p{N} .,'_-]/gu, "").trim() || walletAddress;
  const snippets = [
    ["Markdown", `[![${safeName} on Standing](${page}/badge.svg)](${page})`],
    ["HTML", `<a href="${page}"><img src="${page}/badge.svg" alt="${safeName} on Standing"></a>`],
  ] as const;
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/performance/noImgElement: a live SVG has nothing to optimise. */}
      <img
        src={`/agents/${walletAddress}/badge.svg`}
        alt={`Badge of ${isolateText(name)}`}
        height={24}
        className="h-6"
      />
      <dl className="grid gap-3">
        {snippets.map(([language, code]) => (
          <div key={language} className="min-w-0">
            <dt className="flex items-center justify-between gap-4 text-sm text-muted">
              {language} <CopyButton text={code} label={`Copy ${language}`} />
            </dt>
            <dd className="mt-1 rounded-md bg-sunken px-3 py-2">
              <code className="text-[0.8125rem] break-all">{code}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
