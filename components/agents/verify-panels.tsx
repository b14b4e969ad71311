import type { ReactNode } from "react";
import { CopyLine } from "@/components/ui/code-block";
import { isolateText } from "@/server/lib/bidi";

interface AccessProps {
  title: string;
  /** One line below the title. */
  note: ReactNode;
  children: ReactNode;
}

/** Shows one way to check or to reuse an agent's record: what it is, and beside it how. */
export const Access = ({ title, note, children }: AccessProps) => (
  <section className="grid grid-cols-1 gap-x-10 gap-y-3 border-b border-line py-6 first:pt-0 last:border-0 last:pb-0 lg:grid-cols-[20rem_1fr]">
    <div>
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-1 text-sm text-muted">{note}</p>
    </div>
    <div className="grid min-w-0 grid-cols-1 content-start gap-3">{children}</div>
  </section>
);

interface BadgeProps {
  /** Base URL of this service, without a trailing slash. */
  url: string;
  wallet: string;
  name: string;
}

/** Shows the current badge and the snippet that embeds it. */
export function EmbeddedBadge({ url, wallet, name }: BadgeProps) {
  const page = `${url}/agents/${wallet}`;
  // Strips characters that HTML or Markdown would interpret.
  const safeName = name.replace(/[^\p{L}\p{N} .,'_-]/gu, "").trim() || wallet;
  return (
    <div className="grid grid-cols-1 gap-4">
      {/* biome-ignore lint/performance/noImgElement: a live SVG has nothing to optimise. */}
      <img
        src={`/agents/${wallet}/badge.svg`}
        alt={`Badge of ${isolateText(name)}`}
        height={24}
        className="h-6"
      />
      <CopyLine
        text={`<a href="${page}"><img src="${page}/badge.svg" alt="${safeName} on Standing"></a>`}
        label="Copy the badge"
      />
    </div>
  );
}
