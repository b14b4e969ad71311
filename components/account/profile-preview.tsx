import { ProfileHeader } from "@/components/agents/profile-header";
import type { AgentProfile } from "@/server/explorer/schema";
import type { ProfileDraft } from "./profile-draft";

interface Props {
  draft: ProfileDraft;
  /** What of the profile is not in the form. */
  rest: AgentProfile;
}

/** The profile as the explorer will show it; to be looked at, not to be used. */
export function ProfilePreview({ draft, rest }: Props) {
  const profile: AgentProfile = {
    ...rest,
    name: draft.name.trim() || "Name of your agent",
    description: draft.description.trim(),
    categories: draft.categories,
  };
  return (
    <section aria-label="Preview of the public profile">
      <p className="text-sm text-muted">How others will see it</p>
      <div
        inert
        className="mt-2 rounded-lg border border-dashed border-line p-5 sm:p-6 [&_header]:flex-col! [&_header>div]:w-full!"
      >
        <ProfileHeader profile={profile} explorerUrl={null} />
      </div>
    </section>
  );
}
