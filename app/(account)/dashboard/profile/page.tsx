import type { Metadata } from "next";
import { IdentityForm } from "@/components/account/identity-form";
import { ProfileEditor } from "@/components/account/profile-form";
import { Fold } from "@/components/ui/fold";
import { CATEGORIES } from "@/server/lib/schema";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Edit profile", robots: { index: false } };

export default async function ProfilePage() {
  const { agent, walletAddress } = await requireOwner("profile");
  const { name, description, categories, links, ownerEmail, identity } = agent;
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-8">
      <ProfileEditor
        profile={{ name, description, categories, links, ownerEmail }}
        wallet={walletAddress}
        categories={CATEGORIES}
      />
      {identity && (
        <Fold summary="ERC-8004 identity" open={identity.linked !== null || identity.lost !== null}>
          <IdentityForm {...identity} key={identity.linked?.agentId} />
        </Fold>
      )}
    </div>
  );
}
