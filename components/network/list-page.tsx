import type { ReactNode } from "react";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAmount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { buildUrl } from "@/server/lib/build-url";
import { MAX_EXPORTED } from "@/server/lib/schema";
import type { WrongParameter } from "@/server/pages/schema";
import { type ListCounts, RESULTS } from "./list-heading";
import { MissingPage } from "./missing-page";

interface Props {
  counts: ListCounts;
  path: string;
  /** Query of the URL without the page; of a list with `RESULTS`. */
  filter?: Record<string, string | undefined>;
  /** Path of the export of all records with the same filter. */
  exportPath?: string;
  /** Parameters of the URL that are ignored. */
  wrong?: readonly WrongParameter[];
  children: ReactNode;
}

/** Shows a list with links to its other pages and to its export. The first page always exists. */
export function ListPage({ counts, path, filter, exportPath, wrong, children }: Props) {
  const { page, totalPages } = counts;
  const getUrl = (at: number) => buildUrl(path, { ...filter, page: at });
  const last = Math.max(totalPages - 1, 0);
  if (page > last) {
    return <MissingPage page={page + 1} totalPages={last + 1} href={getUrl(last)} />;
  }
  return (
    <>
      {filter && (
        <a href={`#${RESULTS}`} className="skip-link">
          Skip to results
        </a>
      )}
      <WrongParameters wrong={wrong} />
      {children}
      <Pagination page={page} totalPages={totalPages} href={getUrl} />
      {exportPath && counts.totalElements > 0 && (
        <ExportLink href={buildUrl(exportPath, { ...filter })}>
          {counts.totalElements > MAX_EXPORTED
            ? `Export newest ${formatAmount(MAX_EXPORTED)} (CSV)`
            : undefined}
        </ExportLink>
      )}
    </>
  );
}

/** Links to the export of a list; the text says so if it has only some of the records. */
export const ExportLink = ({ href, children }: { href: string; children?: string | undefined }) => (
  <p className="mt-4 ml-auto w-fit text-sm">
    <a href={href} download className="py-1 underline underline-offset-2">
      {children ?? "Export CSV"}
    </a>
  </p>
);

/** Names the parameters of the URL that are ignored, because their values are invalid. */
export function WrongParameters({ wrong = [] }: Pick<Props, "wrong">) {
  if (wrong.length === 0) return null;
  return (
    <StatusNote>
      Ignored, because the value is not valid:{" "}
      {wrong.map(([name, text]) => (
        <code key={name} className="mr-3 wrap-anywhere">
          <UntrustedText>{`${name}=${text.slice(0, 60)}`}</UntrustedText>
        </code>
      ))}
    </StatusNote>
  );
}

/** Says above a page what of its URL is not shown. */
export const StatusNote = ({ children }: { children: ReactNode }) => (
  <div className="mb-4 wrap-anywhere">
    <Notice role="status">{children}</Notice>
  </div>
);
