import type { Metadata } from "next";
import { IdentityForm } from "@/components/account/identity-form";
import { ProfileEditor } from "@/components/account/profile-form";
import { CATEGORIES } from "@/server/lib/schema";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "Edit profile", robots: { index: false } };

export default async function ProfilePage() {
  const { agent, walletAddress, api } = await requireOwner("profile");
  const { sendsMail } = await api.alerts.get();
  const { name, description, categories, links, ownerEmail, identity } = agent;
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-10 lg:grid-cols-2">
      <ProfileEditor
        profile={{ name, description, categories, links, ownerEmail }}
        wallet={walletAddress}
        categories={CATEGORIES}
        sendsMail={sendsMail}
      />
      {identity && (
        <section aria-labelledby="identity">
          <h3 id="identity" className="mb-4 text-xl font-semibold">
            ERC-8004 identity
          </h3>
          <IdentityForm {...identity} key={identity.linked?.agentId} />
        </section>
      )}
    </div>
  );
}
