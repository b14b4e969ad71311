import type { Metadata } from "next";
import { IdentityForm } from "@/components/account/identity-form";
import { ProfileEditor } from "@/components/account/profile-form";
import { CATEGORIES } from "@/server/lib/schema";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Edit profile", robots: { index: false } };

export default async function ProfilePage() {
  const { agent, walletAddress } = await requireOwner("profile");
  const { name, description, categories, links, ownerEmail, identity } = agent;
  return (
    <>
      <ProfileEditor
        profile={{ name, description, categories, links, ownerEmail }}
        categories={CATEGORIES}
        preview={{
          walletAddress,
          registeredAt: agent.registeredAt,
          now: new Date().toISOString(),
        }}
      />
      {identity && (
        <section aria-labelledby="identity" className="mt-10">
          <h2 id="identity" className="mb-4 text-2xl font-semibold">
            ERC-8004 identity
          </h2>
          <IdentityForm {...identity} key={identity.linked?.agentId} />
        </section>
      )}
    </>
  );
}
