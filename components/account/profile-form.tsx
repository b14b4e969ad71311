"use client";

import { trpc } from "@/components/trpc";
import { Choices, SelectField, TextField } from "@/components/ui/field";
import { ENDPOINT_KINDS } from "@/server/agents/endpoint-kinds";
import type { ProfileInput } from "@/server/agents/schema";
import { labelCategory } from "@/server/lib/category-name";
import type { Category } from "@/server/lib/schema";
import { Namesakes } from "./namesakes";
import { OwnerForm, useOwnerForm } from "./owner-form";

interface Props extends Pick<Parameters<typeof OwnerForm>[0], "name" | "labels" | "status"> {
  profile: ProfileInput;
  /** Of the agent. */
  wallet: string;
  categories: readonly Category[];
  send: (profile: ProfileInput) => Promise<unknown>;
  onChange?: () => void;
  /** Asks for name and categories only. */
  isBrief?: boolean;
}

type Form = ReturnType<typeof useOwnerForm<ProfileInput>>;

/** Asks for an agent's profile. */
export function ProfileForm({ profile, wallet, categories, send, onChange, ...rest }: Props) {
  const { isBrief, ...labels } = rest;
  const form = useOwnerForm<ProfileInput>(profile, send, { onChange });
  return (
    <OwnerForm form={form} className="grid gap-6" {...labels}>
      <TextField
        {...form.field("name")}
        label="Name"
        required
        autoComplete="off"
        hint={<Namesakes name={form.watch("name")} wallet={wallet} />}
      />
      <Choices
        {...form.field("categories")}
        label="Categories"
        options={categories}
        list="mt-2 flex flex-wrap gap-2"
        labelClass="flex cursor-pointer items-center gap-2 rounded-full border border-line px-3 py-1 text-sm pointer-coarse:min-h-11 has-checked:border-accent has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        className="outline-none"
        renderOption={labelCategory}
      />
      {!isBrief && <FurtherFields form={form} hasEmail={profile.ownerEmail !== null} />}
    </OwnerForm>
  );
}

const emptyToUndefined = (text: string | undefined) => text || undefined;

/** Asks for what registration leaves for later. */
function FurtherFields({ form: { field, watch }, hasEmail }: { form: Form; hasEmail: boolean }) {
  const { description, links } = watch();
  const link = (name: "website" | "endpoint" | "source") => ({
    ...field(`links.${name}`, { setValueAs: emptyToUndefined }),
    type: "url",
    autoComplete: "off",
  });
  return (
    <>
      <TextField
        {...field("description")}
        label="Description"
        hint={`Shown to people looking for an agent. ${[...description].length} of 1,000 characters.`}
        rows={4}
      />
      <TextField {...link("website")} label="Website" placeholder="https://agent.example" />
      <TextField {...link("endpoint")} label="Endpoint" placeholder="https://agent.example/api" />
      {links.endpoint && (
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
      {/* Given by the API at registration, and changed only here. */}
      {hasEmail && (
        <TextField
          {...field("ownerEmail", { setValueAs: (text) => text || null })}
          label="Contact address"
          optional
          hint="Never public: for the operator of this service."
          type="email"
          autoComplete="email"
        />
      )}
    </>
  );
}

/** Edits the agent's profile. */
export function ProfileEditor(props: Pick<Props, "profile" | "wallet" | "categories">) {
  const update = trpc.agents.account.update.useMutation();
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
