import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { DisputeHistory } from "@/components/agents/dispute-history";
import { AgentOutcomes } from "@/components/outcomes/agent-outcomes";
import { profileJobsQuery } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi } from "@/server/pages/page-api";
import {
  type PageQuery,
  parsePageQuery,
  redirectToCleanUrl,
  requirePage,
} from "@/server/pages/page-query";

interface Props extends ProfileProps {
  searchParams: Promise<PageQuery>;
}

export const generateMetadata = (props: Props) => describeProfile(props, "jobs");

export default async function AgentJobsPage({ params, searchParams }: Props) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress } = profile;
  const path = `/agents/${walletAddress}/jobs`;
  const query = await searchParams;
  redirectToCleanUrl(path, profileJobsQuery, query);
  const filter = parsePageQuery(profileJobsQuery, query);
  const { explorer } = await getPageApi();
  const [outcomes, disputes] = await Promise.all([
    explorer.outcomes({ walletAddress, ...filter }),
    explorer.disputes({ walletAddress }),
  ]);
  requirePage(outcomes);
  return (
    <ProfileFrame profile={profile} tab="jobs">
      <AgentOutcomes
        page={outcomes}
        path={path}
        exportPath={`/agents/${walletAddress}/outcomes.csv`}
        wallet={walletAddress}
        names={await explorer.names(listParties(outcomes.content))}
        filter={filter}
      />
      <DisputeHistory record={disputes} />
    </ProfileFrame>
  );
}
