"use client";

import { type ReactNode, useCallback, useMemo } from "react";
import { addDisputes, type Disputed } from "@/components/outcomes/outcome-row";
import { queryProcedure } from "@/components/query-procedure";
import { formatCount } from "@/components/ui/format";
import { useNewKeys } from "@/components/ui/use-new-keys";
import { usePolling } from "@/components/ui/use-polling";
import type {
  NetworkDisputes,
  NetworkDisputesInput,
  NetworkOutcome,
  NetworkOutcomes,
  NetworkOutcomesInput,
} from "@/server/explorer/network/schema";
import { DisputeTable, getDisputeKey } from "./dispute-table";
import { type FilterChoice, FilteredRows, FilterMenus } from "./filter-menu";
import { describeTotal, type ListCounts, ListHeading } from "./list-heading";
import { getOutcomeKey, OutcomeTable } from "./outcome-table";

const POLL_MS = 5_000;

interface PageOf<Row> extends ListCounts {
  content: Row[];
}

/** What a live list gets from its page. */
interface LiveProps<Page, Input> {
  /** The page at render time, and the input that it is for. */
  initial: Page;
  input: Input;
  path: string;
  choices: readonly FilterChoice[];
  filter: Record<string, string>;
  /** Render time, ISO 8601. */
  now: string;
  /** Shown instead of an empty list that no filter narrows. */
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

/** Shows a list with its filters. Its first page is polled while it is visible. */
function LiveList<Row, Page extends PageOf<Row>, Input>(props: Props<Row, Page, Input>) {
  const { initial, input, title, noun, arrival, fetchPage, getKey } = props;
  const { path, choices, filter } = props;
  const list = { path, choices, filter };
  const isLive = initial.page === 0;
  const poll = useCallback((signal: AbortSignal) => fetchPage(input, signal), [fetchPage, input]);
  const { data = initial, at = props.now, isError } = usePolling(poll, isLive ? POLL_MS : null);
  const isFiltered = Object.keys(filter).length > 0;
  const fresh = useNewKeys(useMemo(() => data.content.map(getKey), [data, getKey]));
  return (
    <>
      <ListHeading
        title={title}
        total={describeTotal(data, noun, isFiltered)}
        {...(isLive && { isLive: !isError })}
      />
      <div className="mt-5 mb-4">
        <FilterMenus {...list} />
      </div>
      <FilteredRows
        {...list}
        noun={`${noun}s`}
        note={data.isMore ? "Only the newest 50,000 were searched." : undefined}
        empty={props.empty}
      >
        {data.content.length > 0 ? props.renderRows(data.content, fresh, at) : null}
      </FilteredRows>
      <p aria-live="polite" className="sr-only">
        {fresh.size > 0 && formatCount(fresh.size, ...arrival)}
      </p>
    </>
  );
}

type OutcomesPage = Omit<NetworkOutcomes, "content"> & PageOf<NetworkOutcome & Disputed>;

const fetchOutcomes = async (input: NetworkOutcomesInput, signal: AbortSignal) =>
  addDisputes(await queryProcedure("explorer.networkOutcomes", input, signal), (ids) =>
    queryProcedure("explorer.jobs", ids, signal),
  );

/** Lists the newest outcomes, polled while the page is visible; new rows are highlighted. */
export function LiveOutcomes(props: LiveProps<OutcomesPage, NetworkOutcomesInput>) {
  return (
    <LiveList
      {...props}
      title="Jobs"
      noun="job"
      arrival={["new verdict or job", "new verdicts or jobs"]}
      fetchPage={fetchOutcomes}
      getKey={getOutcomeKey}
      renderRows={(outcomes, fresh, now) => (
        <OutcomeTable outcomes={outcomes} fresh={fresh} now={now} />
      )}
    />
  );
}

const fetchDisputes = (input: NetworkDisputesInput, signal: AbortSignal) =>
  queryProcedure("explorer.networkDisputes", input, signal);

/** Lists the newest disputes, polled while the page is visible; new rows are highlighted. */
export function LiveDisputes(props: LiveProps<NetworkDisputes, NetworkDisputesInput>) {
  return (
    <LiveList
      {...props}
      title="Disputes"
      noun="dispute"
      arrival={["new dispute or result", "new disputes or results"]}
      fetchPage={fetchDisputes}
      getKey={getDisputeKey}
      renderRows={(disputes, fresh, now) => (
        <DisputeTable disputes={disputes} fresh={fresh} now={now} />
      )}
    />
  );
}
