"use client";

import { useRouter } from "next/navigation";
import { LinkFacts } from "@/components/agents/how-to-hire";
import { ProfileHeader } from "@/components/agents/profile-header";
import { trpc } from "@/components/trpc";
import { Choices, SelectField, TextField } from "@/components/ui/field";
import { ENDPOINT_KINDS } from "@/server/agents/endpoint-kinds";
import type { ProfileInput } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";
import { OwnerForm, useOwnerForm } from "./owner-form";

/** Facts of the profile that the preview shows and the form can't change. */
export interface PreviewBase {
  walletAddress: string;
  registeredAt: string;
  /** Render time, ISO 8601. */
  now: string;
}

interface Props extends Pick<Parameters<typeof OwnerForm>[0], "name" | "labels" | "status"> {
  profile: ProfileInput;
  preview: PreviewBase;
  categories: readonly Category[];
  send: (profile: ProfileInput) => Promise<unknown>;
  onChange?: () => void;
}

const emptyToUndefined = (text: string | undefined) => text || undefined;

/** Asks for an agent's profile next to a preview of it. */
export function ProfileForm({ profile, preview, categories, send, onChange, ...labels }: Props) {
  const form = useOwnerForm<ProfileInput>(profile, send, { onChange });
  const { field, watch } = form;
  const draft = watch();
  const link = (name: "website" | "endpoint" | "source") => ({
    ...field(`links.${name}`, { setValueAs: emptyToUndefined }),
    optional: true,
    type: "url",
    autoComplete: "off",
  });
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <OwnerForm form={form} className="grid gap-6" {...labels}>
        <TextField {...field("name")} label="Name" required autoComplete="off" />
        <TextField
          {...field("description")}
          label="Description"
          optional
          hint={`Shown to people looking for an agent. ${[...draft.description].length} of 1,000 characters.`}
          rows={4}
        />
        <Choices
          {...field("categories")}
          label="Categories"
          optional
          options={categories}
          list="mt-2 flex flex-wrap gap-2"
          labelClass="flex cursor-pointer items-center gap-2 rounded-full border border-line px-3 py-1 text-sm has-checked:border-accent has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          className="focus-visible:outline-none"
          renderOption={(category) => category}
        />
        <TextField {...link("website")} label="Website" placeholder="https://agent.example" />
        <TextField {...link("endpoint")} label="Endpoint" placeholder="https://agent.example/api" />
        {draft.links.endpoint && (
          <SelectField
            {...field("links.endpointKind", {
              setValueAs: emptyToUndefined,
              shouldUnregister: true,
            })}
            label="Kind of endpoint"
            optional
            isOpen
            options={ENDPOINT_KINDS.map((kind) => [kind, kind])}
          />
        )}
        <TextField
          {...link("source")}
          label="Source code"
          placeholder="https://github.com/you/agent"
        />
        <TextField
          {...field("ownerEmail", { setValueAs: (text) => text || null })}
          label="Your email"
          optional
          hint="Never shown publicly."
          type="email"
          autoComplete="email"
        />
      </OwnerForm>
      <ProfilePreview draft={draft} base={preview} />
    </div>
  );
}

/** Previews the public profile; not interactive. */
function ProfilePreview({ draft, base }: { draft: ProfileInput; base: PreviewBase }) {
  const { walletAddress, registeredAt, now } = base;
  const { name, description, categories, links } = draft;
  const agent = {
    agentId: "",
    walletVerified: true,
    registeredAt,
    name: name.trim() || "Your agent's name",
    description: description.trim(),
    categories,
    links,
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
          <LinkFacts links={links} />
        </dl>
      </div>
    </section>
  );
}

type EditorProps = Pick<Props, "profile" | "preview" | "categories">;

/** Edits the agent's profile. */
export function ProfileEditor(props: EditorProps) {
  const router = useRouter();
  const update = trpc.agents.account.update.useMutation({ onSuccess: () => router.refresh() });
  return (
    <ProfileForm
      {...props}
      name="Profile"
      labels={["Save", "Saving…"]}
      send={(profile) => update.mutateAsync(profile)}
      onChange={update.reset}
      status={
        <span role="status" className="text-sm text-muted">
          {update.isSuccess && "Saved. Your public profile is updated."}
        </span>
      }
    />
  );
}
