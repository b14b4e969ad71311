import { formatAmount, formatUsdc, shortenHex } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import type { ListedOutcome, Names, OutcomesPage } from "@/server/explorer/schema";
import { CATEGORIES } from "@/server/lib/schema";
import { type Filter, OutcomeFilter } from "./outcome-filter";
import { type OutcomeRow, OutcomeRows } from "./outcome-rows";
import { getResult } from "./result";

interface Props {
  page: OutcomesPage;
  path: string;
  /** Path of the same list as CSV. */
  exportPath: string;
  wallet: string;
  /** Names of the registered parties. */
  names: Names;
  /** Filter in the URL. */
  filter: Filter;
}

/** Lists an agent's outcomes in both roles, with a filter kept in the URL. */
export function AgentOutcomes({ page, path, exportPath, wallet, names, filter }: Props) {
  const { role, category, verdict, backing } = filter;
  const active = { role, category, verdict, backing };
  const isFiltered = Object.values(active).some((value) => value !== undefined);
  const isEmpty = page.totalElements === 0;
  return (
    <section className="min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl font-semibold">Jobs</h2>
        <p className="text-sm text-muted">
          {formatAmount(page.totalElements)} {isFiltered ? "matching" : "total"}, newest first
          {!isEmpty && (
            <>
              {" · "}
              <a
                href={buildUrl(exportPath, active)}
                download
                className="inline-block min-h-6 text-accent underline-offset-2 hover:underline"
              >
                CSV
              </a>
            </>
          )}
        </p>
      </div>
      {(isFiltered || !isEmpty) && (
        <div className="mb-4">
          <OutcomeFilter action={path} filter={active} categories={CATEGORIES} />
        </div>
      )}
      {page.content.length > 0 ? (
        <OutcomeList outcomes={page.content} wallet={wallet} names={names} />
      ) : (
        <EmptyState title={isFiltered ? "No outcomes match" : "No outcomes yet"}>
          <p>
            {isFiltered
              ? "Clear the filter to see all."
              : "Outcomes appear here once they are submitted."}
          </p>
        </EmptyState>
      )}
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => buildUrl(path, { ...active, page: to > 0 ? String(to + 1) : undefined })}
      />
    </section>
  );
}

function buildUrl(path: string, values: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

interface OutcomeListProps {
  outcomes: ListedOutcome[];
  wallet: string;
  /** Names of the registered parties. */
  names: Names;
}

/** Lists outcomes from one wallet's perspective: its role, the other party and the verdict. */
export function OutcomeList({ outcomes, wallet, names }: OutcomeListProps) {
  return <OutcomeRows rows={outcomes.map((outcome) => formatRow(outcome, wallet, names))} />;
}

/** Returns what a row shows, since the public facts of an outcome are many times as long. */
function formatRow(outcome: ListedOutcome, wallet: string, names: Names): OutcomeRow {
  const { verdict, finalVerdict, refund, disputeId } = outcome;
  const result = getResult(outcome);
  const isContractor = outcome.contractorAgentAddress === wallet;
  const other = isContractor ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
  const state = refund
    ? "Refunded"
    : finalVerdict !== verdict
      ? "Overturned"
      : disputeId
        ? "Disputed"
        : null;
  return {
    id: outcome.outcomeId,
    category: outcome.taskCategory,
    ...(outcome.title ? { title: outcome.title } : {}),
    other: names[other] ?? shortenHex(other),
    backing: outcome.backing,
    value: formatUsdc(outcome.valueUsdc),
    at: outcome.submittedAt,
    ...(isContractor ? {} : { isClient: true }),
    ...(result ? { result } : {}),
    ...(outcome.clientConfirmed === undefined ? {} : { isConfirmed: outcome.clientConfirmed }),
    ...(state ? { state } : {}),
  };
}
