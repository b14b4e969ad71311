import { EmptyState } from "@/components/ui/empty-state";
import { formatAmount } from "@/components/ui/format";
import { Pagination } from "@/components/ui/pagination";
import type { Names, OutcomesInput, OutcomesPage } from "@/server/explorer/schema";
import { OutcomeFilter } from "./outcome-filter";
import { OutcomeList } from "./outcome-list";

interface Props {
  page: OutcomesPage;
  /** Path of the agent's page. */
  path: string;
  wallet: string;
  /** Names of the registered parties. */
  names: Names;
  /** Filter in the URL. */
  filter: Omit<OutcomesInput, "walletAddress">;
  explorerUrl: string | null;
}

/** Lists an agent's outcomes in both roles, with a filter kept in the URL. */
export function AgentOutcomes({ page, path, wallet, names, filter, explorerUrl }: Props) {
  const { role, category, verdict, backing } = filter;
  const active = { role, category, verdict, backing };
  const isFiltered = Object.values(active).some((value) => value !== undefined);
  return (
    <section className="mt-12" id="outcomes">
      <h2 className="text-2xl font-semibold">Outcomes</h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        {formatAmount(page.totalElements)} {isFiltered ? "matching" : "total"}, newest first
      </p>
      {(isFiltered || page.totalElements > 0) && (
        <div className="mb-4">
          <OutcomeFilter action={path} filter={active} />
        </div>
      )}
      {page.content.length > 0 ? (
        <OutcomeList
          outcomes={page.content}
          wallet={wallet}
          names={names}
          explorerUrl={explorerUrl}
        />
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
        href={(to) => {
          const query = new URLSearchParams({ page: String(to) });
          for (const [name, value] of Object.entries(active)) {
            if (value !== undefined) query.set(name, value);
          }
          return `${path}?${query}#outcomes`;
        }}
      />
    </section>
  );
}
