import type { Metadata } from "next";
import { cache, type ReactNode } from "react";
import { ProfileHeader } from "@/components/agents/profile-header";
import {
  ProfileActions,
  type ProfileTab,
  ProfileTabs,
  RegisterHint,
} from "@/components/agents/profile-navigation";
import { describeProfilePage } from "@/components/agents/profile-page-data";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { StructuredData } from "@/components/site/structured-data";
import { describeAgentPage, describePage } from "@/components/social/describe-page";
import { shortenHex } from "@/components/ui/format";
import { getOembedUrl } from "@/server/explorer/oembed";
import type { WalletProfile } from "@/server/explorer/schema";
import { getPageApi, getSiteUrl, resolveOr404 } from "@/server/pages/page-api";

export interface ProfileProps {
  params: Promise<{ wallet: string }>;
}

/** Loads what every tab of a profile needs, once per request. */
export const loadProfile = cache(async (walletAddress: string) =>
  resolveOr404((await getPageApi()).explorer.wallet({ walletAddress })),
);

/** Returns the metadata of one tab; `part` names any tab but the overview. */
export async function describeProfile({ params }: ProfileProps, part?: string): Promise<Metadata> {
  const page = describeAgentPage(await loadProfile((await params).wallet));
  const { path, title } = page;
  return describePage({
    ...page,
    ...(part && { path: `${path}/${part}`, title: `${title}: ${part}` }),
    picture: path,
    types: {
      "application/atom+xml": `${path}/feed.xml`,
      "application/json+oembed": getOembedUrl(await getSiteUrl(), path),
    },
  });
}

interface FrameProps {
  profile: WalletProfile;
  tab: ProfileTab;
  children: ReactNode;
}

/** Shows who the agent is and the tabs of its profile above the content of one of them. */
export async function ProfileFrame({ profile, tab, children }: FrameProps) {
  const { walletAddress, agent } = profile;
  const { network, explorer } = await getPageApi();
  const [{ explorerUrl }, knownClient, url] = await Promise.all([
    network.get(),
    explorer.knownClient({ walletAddress }),
    getSiteUrl(),
  ]);
  return (
    <>
      <Breadcrumbs
        origin={url}
        parents={[{ label: "Agents", path: "/agents" }]}
        current={agent?.name ?? shortenHex(walletAddress)}
      />
      <StructuredData data={describeProfilePage(profile, url)} />
      <ProfileHeader
        profile={profile}
        knownClient={knownClient}
        explorerUrl={explorerUrl}
        now={new Date().toISOString()}
        actions={
          <ProfileActions
            wallet={walletAddress}
            title={agent?.name ?? walletAddress}
            url={`${url}/agents/${walletAddress}`}
          />
        }
      />
      {!agent && <RegisterHint />}
      <ProfileTabs
        path={`/agents/${walletAddress}`}
        current={tab}
        hasScore={profile.reputation.totalOutcomes > 0}
      />
      {children}
    </>
  );
}
