import { formatAmount } from "./format";
import { Link } from "./link";

interface Props {
  /** Zero-based. */
  page: number;
  totalPages: number;
  /** Returns the URL of a zero-based page. */
  href: (page: number) => string;
}

/** Links to the neighbors of a list's page, and to its first and last page. */
export function Pagination({ page, totalPages, href }: Props) {
  if (totalPages <= 1) return null;
  const last = totalPages - 1;
  return (
    <nav aria-label="Pages" className="pagination">
      <Step label="← Previous" rel="prev" to={page > 0 ? href(page - 1) : null} />
      <ol>
        {listNearby(page, last).map((at, index, all) => (
          <li key={at}>
            {index > 0 && at - (all[index - 1] ?? at) > 1 && (
              <span className="px-1.5 text-muted">…</span>
            )}
            {at === page ? (
              <span aria-current="page">
                <span className="sr-only">Page </span>
                {formatAmount(at + 1)}
                <span className="sm:hidden">&nbsp;of {formatAmount(totalPages)}</span>
              </span>
            ) : (
              <Link href={href(at)} aria-label={`Page ${at + 1}`}>
                {formatAmount(at + 1)}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <Step label="Next →" rel="next" to={page < last ? href(page + 1) : null} />
    </nav>
  );
}

/** Links to a neighbor; disabled without one, so that the other controls keep their place. */
function Step({ label, rel, to }: { label: string; rel: "prev" | "next"; to: string | null }) {
  if (to === null) return <span className="disabled">{label}</span>;
  return (
    <Link href={to} rel={rel}>
      {label}
    </Link>
  );
}

/** Returns the zero-based first and last page and those around the current one. */
function listNearby(page: number, last: number): number[] {
  const around = [page - 1, page, page + 1].filter((at) => at > 0 && at < last);
  return [...new Set([0, ...around, last])];
}
