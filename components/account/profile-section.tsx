"use client";

import { useRouter } from "next/navigation";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { getFieldErrors } from "@/components/wallet/describe-error";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Category } from "@/server/lib/schema";
import type { ProfileDraft } from "./profile-draft";
import { type PreviewBase, ProfileFields, ProfilePreview, useProfileForm } from "./profile-form";

interface Props {
  draft: ProfileDraft;
  preview: PreviewBase;
  categories: readonly Category[];
}

/** Edits the agent's profile. */
export function ProfileSection({ draft, preview, categories }: Props) {
  const router = useRouter();
  const form = useProfileForm(draft);
  const update = trpc.agents.account.update.useMutation({
    onSuccess: () => router.refresh(),
    onError: (error) => form.reject(getFieldErrors(error)),
  });
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <form
        ref={form.form}
        noValidate
        aria-label="Profile"
        onChange={() => update.isSuccess && update.reset()}
        onSubmit={(event) => {
          event.preventDefault();
          const next = form.validate();
          if (next) update.mutate(next);
        }}
      >
        <ProfileFields form={form} categories={categories} />
        <div className="mt-6 flex flex-wrap items-center gap-4">
          <Button type="submit" variant="primary" busy={update.isPending}>
            {update.isPending ? "Saving…" : "Save"}
          </Button>
          <span role="status" className="text-sm text-muted">
            {update.isSuccess && "Saved. Your public profile is updated."}
          </span>
        </div>
        <ErrorNotice error={update.error} className="mt-3" />
      </form>
      <ProfilePreview draft={form.draft} rest={preview} />
    </div>
  );
}
