import { ProfileHeader } from "@/components/agents/profile-header";
import type { AgentProfile } from "@/server/explorer/schema";
import type { ProfileDraft } from "./profile-draft";

interface Props {
  draft: ProfileDraft;
  /** Profile fields that aren't in the form. */
  rest: AgentProfile;
}

/** Previews the public profile; not interactive. */
export function ProfilePreview({ draft, rest }: Props) {
  const profile: AgentProfile = {
    ...rest,
    name: draft.name.trim() || "Your agent's name",
    description: draft.description.trim(),
    categories: draft.categories,
  };
  return (
    <section aria-label="Preview of the public profile">
      <p className="text-sm text-muted">Public preview</p>
      <div
        inert
        className="mt-2 rounded-lg border border-dashed border-line p-5 sm:p-6 [&_header]:flex-col! [&_header>div]:w-full!"
      >
        <ProfileHeader profile={profile} explorerUrl={null} />
      </div>
    </section>
  );
}
