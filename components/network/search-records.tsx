import { toOutcomeRow } from "@/components/outcomes/outcome-row";
import { formatDateTime } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import type { SearchResults } from "@/server/explorer/agent-list/schema";
import type { Names } from "@/server/explorer/schema";
import { OutcomeTable } from "./outcome-table";

interface Props {
  results: Pick<SearchResults, "outcomes" | "totalOutcomes" | "disputes" | "anchorSeqs">;
  /** Names of the registered parties. */
  names: Names;
}

/** Lists the records that match an ID, address or transaction. */
export function SearchRecords({ results, names }: Props) {
  const { outcomes, totalOutcomes, disputes, anchorSeqs } = results;
  const others = [
    ...disputes.map(({ disputeId, openedAt }) => [
      `/disputes/${disputeId}`,
      "Dispute",
      `opened ${formatDateTime(openedAt)}`,
    ]),
    ...anchorSeqs.map((seq) => ["/anchors", `Record ${seq}`, "known client added or removed"]),
  ] as [href: string, name: string, detail: string][];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-xl font-semibold">
        {totalOutcomes > outcomes.length
          ? `Latest ${outcomes.length} of ${totalOutcomes} jobs`
          : "Records"}
      </h2>
      {outcomes.length > 0 && (
        <OutcomeTable outcomes={outcomes.map((outcome) => toOutcomeRow(outcome, names))} />
      )}
      <ul className="divide-y divide-line text-sm">
        {others.map(([href, name, detail]) => (
          <li key={name + href} className="py-3">
            <TextLink href={href} className="font-medium">
              {name}
            </TextLink>
            <span className="text-muted">, {detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
