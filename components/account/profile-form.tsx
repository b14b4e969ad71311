"use client";

import { useRouter } from "next/navigation";
import { Fragment, useRef, useState } from "react";
import { LinkFacts } from "@/components/agents/how-to-hire";
import { ProfileHeader } from "@/components/agents/profile-header";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { Checkboxes, FieldError, focusField, SelectField, TextField } from "@/components/ui/field";
import { ErrorNotice, getFieldErrors } from "@/components/wallet/error-notice";
import { ENDPOINT_KINDS } from "@/server/agents/endpoint-kinds";
import type { ProfileInput } from "@/server/agents/schema";
import type { WalletProfile } from "@/server/explorer/schema";
import type { Category } from "@/server/lib/schema";
import {
  getLinks,
  LINK_FIELDS,
  type ProfileDraft,
  type ProfileErrors,
  parseProfileDraft,
} from "./profile-draft";

/** Manages a profile form: its draft, the errors to show, and the input to send. */
export function useProfileForm(initial: ProfileDraft) {
  const [draft, setDraft] = useState(initial);
  // Fields that the user has left; only these show their errors.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [serverErrors, setServerErrors] = useState<ProfileErrors>({});
  const formRef = useRef<HTMLFormElement>(null);
  const parsed = parseProfileDraft(draft);
  const errors: ProfileErrors = "profile" in parsed ? {} : parsed;
  const shownErrors: ProfileErrors = { ...serverErrors };
  for (const [field, error] of Object.entries(errors)) {
    if (touched.has(field)) shownErrors[field as keyof ProfileDraft] = error;
  }
  return {
    draft,
    formRef,
    errors: shownErrors,
    updateDraft: (changes: Partial<ProfileDraft>) => {
      setDraft((before) => ({ ...before, ...changes }));
      setServerErrors({});
    },
    markTouched: (field: keyof ProfileDraft) => setTouched((before) => new Set([...before, field])),
    /** Shows the service's validation errors at their fields, until the draft changes. */
    showServerErrors: setServerErrors,
    /** Returns the profile to send; on errors focuses the first invalid field and returns null. */
    validate: (): ProfileInput | null => {
      if ("profile" in parsed) return parsed.profile;
      setTouched(new Set(Object.keys(draft)));
      const firstInvalid = Object.keys(draft).find((name) => name in errors);
      if (firstInvalid) focusField(formRef.current, firstInvalid);
      return null;
    },
  };
}

interface FieldsProps {
  form: ReturnType<typeof useProfileForm>;
  /** Categories to choose from. */
  categories: readonly Category[];
}

export function ProfileFields({ form, categories }: FieldsProps) {
  const { draft, errors, updateDraft, markTouched } = form;
  const getFieldProps = (name: Exclude<keyof ProfileDraft, "categories" | "endpointKind">) => ({
    name,
    error: errors[name],
    value: draft[name],
    onChange: (value: string) => updateDraft({ [name]: value }),
    onBlur: () => markTouched(name),
  });
  return (
    <div className="grid gap-6">
      <TextField {...getFieldProps("name")} label="Name" required autoComplete="off" />
      <TextField
        {...getFieldProps("description")}
        label="Description"
        optional
        hint={`Shown to people looking for an agent. ${[...draft.description].length} of 1,000 characters.`}
        rows={4}
      />
      <fieldset>
        <legend className="font-medium">
          Categories<span className="font-normal text-muted"> (optional)</span>
        </legend>
        <div className="mt-2 flex flex-wrap gap-2">
          <Checkboxes
            name="categories"
            options={categories}
            selected={draft.categories}
            onChange={(selected) => updateDraft({ categories: selected })}
            labelClass="flex cursor-pointer items-center gap-2 rounded-full border border-line px-3 py-1 text-sm has-checked:border-accent has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            inputClass="focus-visible:outline-none"
          >
            {(category) => category}
          </Checkboxes>
        </div>
        {errors.categories && <FieldError>{errors.categories}</FieldError>}
      </fieldset>
      {LINK_FIELDS.map((name) => (
        <Fragment key={name}>
          <TextField
            {...getFieldProps(name)}
            {...LINK_PROPS[name]}
            optional
            type="url"
            inputMode="url"
            autoComplete="off"
          />
          {name === "endpoint" && draft.endpoint.trim() !== "" && (
            <SelectField
              name="endpointKind"
              label="Kind of endpoint"
              optional
              options={ENDPOINT_KINDS.map((kind) => [kind, kind])}
              value={draft.endpointKind ?? ""}
              onChange={(kind) =>
                updateDraft({ endpointKind: kind as ProfileDraft["endpointKind"] })
              }
            />
          )}
        </Fragment>
      ))}
      <TextField
        {...getFieldProps("ownerEmail")}
        label="Your email"
        optional
        hint="Never shown publicly."
        type="email"
        autoComplete="email"
      />
    </div>
  );
}

const LINK_PROPS = {
  website: { label: "Website", placeholder: "https://agent.example" },
  endpoint: { label: "Endpoint", placeholder: "https://agent.example/api" },
  source: { label: "Source code", placeholder: "https://github.com/you/agent" },
} as const;

interface PreviewProps {
  draft: ProfileDraft;
  base: PreviewBase;
}

/** Facts of the profile that the preview shows and the form can't change. */
export interface PreviewBase {
  walletAddress: string;
  registeredAt: string;
  /** Render time, ISO 8601. */
  now: string;
}

/** Previews the public profile; not interactive. */
export function ProfilePreview({ draft, base }: PreviewProps) {
  const { walletAddress, registeredAt, now } = base;
  const agent: WalletProfile["agent"] = {
    agentId: "",
    walletVerified: true,
    registeredAt,
    name: draft.name.trim() || "Your agent's name",
    description: draft.description.trim(),
    categories: draft.categories,
    links: getLinks(draft),
  };
  return (
    <section aria-label="Preview of the public profile" className="lg:sticky lg:top-6">
      <p className="text-sm text-muted">Public preview</p>
      <div inert className="mt-2 rounded-lg border border-dashed border-line p-5 sm:p-6">
        <ProfileHeader
          profile={{ agent, walletAddress, lastActive: null }}
          explorerUrl={null}
          now={now}
        />
        <dl className="mt-4 grid gap-3">
          <LinkFacts links={agent.links} />
        </dl>
      </div>
    </section>
  );
}

interface ProfileEditorProps {
  draft: ProfileDraft;
  preview: PreviewBase;
  categories: readonly Category[];
}

/** Edits the agent's profile next to a preview of it. */
export function ProfileEditor({ draft, preview, categories }: ProfileEditorProps) {
  const router = useRouter();
  const form = useProfileForm(draft);
  const update = trpc.agents.account.update.useMutation({
    onSuccess: () => router.refresh(),
    onError: (error) => form.showServerErrors(getFieldErrors(error)),
  });
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <form
        ref={form.formRef}
        noValidate
        aria-label="Profile"
        // Hides "Saved" at the next change.
        onChange={() => update.isSuccess && update.reset()}
        onSubmit={(event) => {
          event.preventDefault();
          const profile = form.validate();
          if (profile) update.mutate(profile);
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
      <ProfilePreview draft={form.draft} base={preview} />
    </div>
  );
}
