import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { formatCount } from "@/components/ui/format";
import { usePolling } from "@/components/ui/use-polling";
import { describeTotal, ListHeading } from "./list-heading";

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

interface Props<Row, Page extends PageOf<Row>, Input> extends LiveProps<Page, Input> {
  title: string;
  /** Name of a record, and of what arrives: `new dispute or result`. */
  noun: string;
  arrival: readonly [one: string, many: string];
  /** Fetches the newest page. This and `getKey` must be stable between renders. */
  fetchPage: (input: Input, signal: AbortSignal) => Promise<Page>;
  getKey: (row: Row) => string;
  renderRows: (rows: Row[], fresh: ReadonlySet<string>, now: string) => ReactNode;
}

/** Shows the newest records, polled while the page is visible. */
export function LiveList<Row, Page extends PageOf<Row>, Input>(props: Props<Row, Page, Input>) {
  const { initial, input, isFiltered, now, empty, title, noun, arrival, fetchPage, getKey } = props;
  const poll = useCallback((signal: AbortSignal) => fetchPage(input, signal), [fetchPage, input]);
  const { data = initial, at = now, isError } = usePolling(poll, POLL_MS);
  const fresh = useNewKeys(useMemo(() => data.content.map(getKey), [data, getKey]));
  return (
    <>
      <ListHeading
        title={title}
        total={describeTotal(data, noun, isFiltered)}
        pollingState={isError ? "reconnecting" : "live"}
      />
      {props.children}
      {/* High enough that more rows move nothing that is visible. */}
      <div className="min-h-dvh">
        {data.content.length === 0 ? empty : props.renderRows(data.content, fresh, at)}
      </div>
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 && formatCount(fresh.size, ...arrival)}
      </p>
    </>
  );
}

/** Returns the keys that were added after the first render, to mark rows that arrived since. */
function useNewKeys(keys: readonly string[]): ReadonlySet<string> {
  const seen = useRef(new Set(keys));
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const unseen = keys.filter((key) => !seen.current.has(key));
    if (unseen.length === 0) return;
    for (const key of unseen) seen.current.add(key);
    setAdded(new Set(unseen));
  }, [keys]);
  return added;
}
