import {
  describeProfile,
  loadProfile,
  ProfileFrame,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { DisputeHistory } from "@/components/agents/dispute-history";
import { BACKING_CHOICE, CATEGORY_CHOICE, createChoice } from "@/components/network/choices";
import { FilteredRows, FilterMenus } from "@/components/network/filter-menu";
import { describeTotal } from "@/components/network/list-heading";
import { ListPage } from "@/components/network/list-page";
import { OutcomeTable } from "@/components/network/outcome-table";
import { addDisputes, toOutcomeRow } from "@/components/outcomes/outcome-row";
import { EmptyState } from "@/components/ui/notice";
import { profileJobsQuery } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi } from "@/server/pages/page-api";
import { readListQuery } from "@/server/pages/page-query";

type Props = PageProps<"/agents/[wallet]/jobs">;

const CHOICES = [
  createChoice("role", "Role", "Both roles", { contractor: "Agent", requester: "Client" }),
  createChoice("verdict", "Original verdict", "Any verdict", {
    SUCCESS: "Success",
    FAILURE: "Failure",
  }),
  BACKING_CHOICE,
  CATEGORY_CHOICE,
];

export const generateMetadata = (props: Props) => describeProfile(props, "jobs");

export default async function AgentJobsPage({ params, searchParams }: Props) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress } = profile;
  const path = `/agents/${walletAddress}/jobs`;
  const { input, list } = readListQuery(path, profileJobsQuery, await searchParams);
  const { explorer } = await getPageApi();
  const [page, disputes] = await Promise.all([
    explorer.outcomes({ walletAddress, ...input }).then((all) => addDisputes(all, explorer.jobs)),
    explorer.disputes({ walletAddress }),
  ]);
  const names = await explorer.names(listParties(page.content));
  const isFiltered = Object.keys(list.filter).length > 0;
  return (
    <ProfileFrame profile={profile} tab="jobs">
      <ListPage {...list} counts={page} exportPath={`/agents/${walletAddress}/outcomes.csv`}>
        <div className="mb-3 flex flex-wrap items-baseline gap-x-4">
          <h2 className="text-xl font-semibold">Jobs</h2>
          <p className="text-sm text-muted">{describeTotal(page, "job", isFiltered)}</p>
        </div>
        {(isFiltered || page.totalElements > 0) && (
          <div className="mb-4">
            <FilterMenus {...list} choices={CHOICES} />
          </div>
        )}
        <FilteredRows
          {...list}
          choices={CHOICES}
          noun="jobs"
          empty={
            <EmptyState title="No jobs yet">Jobs appear here once they are submitted.</EmptyState>
          }
        >
          {page.content.length > 0 ? (
            <OutcomeTable
              outcomes={page.content.map((outcome) => toOutcomeRow(outcome, names))}
              wallet={walletAddress}
            />
          ) : null}
        </FilteredRows>
      </ListPage>
      <DisputeHistory record={disputes} />
    </ProfileFrame>
  );
}
