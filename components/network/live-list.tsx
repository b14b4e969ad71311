import { type ReactNode, useMemo } from "react";
import { formatCount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import { describeTotal } from "./describe-total";
import { ListHeading } from "./list-heading";
import { useNewKeys } from "./use-new-keys";

const POLL_MS = 5_000;

interface PageOf<Row> {
  content: Row[];
  totalElements: number;
  isMore?: boolean;
}

/** What a live list gets from its page. */
export interface LiveProps<Page, Input> {
  /** The first page at render time, and the input that it is for. */
  initial: Page;
  input: Input;
  isFiltered: boolean;
  /** Render time, ISO 8601. */
  now: string;
  /** Filters. */
  children: ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
}

interface Props<Row, Page extends PageOf<Row>>
  extends Omit<LiveProps<Page, unknown>, "input" | "children"> {
  title: string;
  /** Name of a record, and of what arrives: `new dispute or result`. */
  noun: string;
  arrival: readonly [one: string, many: string];
  filters: ReactNode;
  /** Fetches the newest page; must be stable between renders. */
  fetchPage: (signal: AbortSignal) => Promise<Page>;
  getKey: (row: Row) => string;
  children: (rows: Row[], fresh: ReadonlySet<string>, now: string) => ReactNode;
}

/** Shows the newest records, polled while the page is visible. */
export function LiveList<Row, Page extends PageOf<Row>>(props: Props<Row, Page>) {
  const { initial, isFiltered, now, empty, title, noun, arrival, filters, getKey } = props;
  const { data = initial, at = now, isError } = usePolling(props.fetchPage, POLL_MS);
  const fresh = useNewKeys(useMemo(() => data.content.map(getKey), [data, getKey]));
  return (
    <>
      <ListHeading
        title={title}
        total={describeTotal(data, noun, isFiltered)}
        live={isError ? "reconnecting" : "live"}
      />
      {filters}
      {/* High enough that more rows move nothing that is visible. */}
      <div className="min-h-dvh">
        {data.content.length === 0 ? empty : props.children(data.content, fresh, at)}
      </div>
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 && formatCount(fresh.size, ...arrival)}
      </p>
    </>
  );
}
