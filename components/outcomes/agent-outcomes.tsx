import { EmptyState } from "@/components/ui/empty-state";
import { formatAmount } from "@/components/ui/format";
import { Pagination } from "@/components/ui/pagination";
import type { Names, OutcomesInput, OutcomesPage } from "@/server/explorer/schema";
import { OutcomeFilter } from "./outcome-filter";
import { OutcomeList } from "./outcome-list";

interface Props {
  page: OutcomesPage;
  /** Of the agent's page. */
  path: string;
  wallet: string;
  /** Of those that are registered of the outcomes' parties. */
  names: Names;
  /** As the address has it. */
  filter: Omit<OutcomesInput, "walletAddress">;
  explorerUrl: string | null;
}

/** What an agent did and asked for, to be narrowed down; the filter is the address. */
export function AgentOutcomes({ page, path, wallet, names, filter, explorerUrl }: Props) {
  const { role, category, verdict, backing } = filter;
  const narrowed = { role, category, verdict, backing };
  const isNarrowed = Object.values(narrowed).some((value) => value !== undefined);
  return (
    <section className="mt-12" id="outcomes">
      <h2 className="text-2xl font-semibold">Outcomes</h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        {formatAmount(page.totalElements)} {isNarrowed ? "that fit" : "in all"}, newest first.
      </p>
      {(isNarrowed || page.totalElements > 0) && (
        <div className="mb-4">
          <OutcomeFilter action={path} filter={narrowed} />
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
        <EmptyState title={isNarrowed ? "None that fits" : "No outcome yet"}>
          <p>
            {isNarrowed
              ? "No outcome of this agent is like that. Clear the filter to see all."
              : "Nothing this agent did or asked for has been submitted so far."}
          </p>
        </EmptyState>
      )}
      <Pagination
        page={page.page}
        totalPages={page.totalPages}
        href={(to) => {
          const query = new URLSearchParams({ page: String(to) });
          for (const [name, value] of Object.entries(narrowed)) {
            if (value !== undefined) query.set(name, value);
          }
          return `${path}?${query}#outcomes`;
        }}
      />
    </section>
  );
}
