import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { Category } from "@/server/lib/schema";
import type { RequirementDraft } from "./agreement-draft";
import { RequirementEditor } from "./requirement-editor";
import { enterRequirement, type RequirementForm } from "./requirement-fields";
import { TEMPLATES } from "./templates";

interface Props {
  forms: readonly RequirementForm[];
  drafts: RequirementDraft[];
  /** Suggests the first requirements; empty until chosen. */
  category: Category | "";
  showErrors: boolean;
  /** What is wrong with the list. */
  error: string | undefined;
  /** What the service says about single requirements, by index. */
  serverErrors: Record<number, string>;
  onChange: (drafts: RequirementDraft[]) => void;
}

const TOPICS: readonly (readonly [RequirementForm["topic"], string])[] = [
  ["length", "Length"],
  ["words", "Words"],
  ["structure", "Structure"],
  ["values", "Values"],
  ["code", "Code"],
  ["sources", "Sources"],
  ["files", "Files"],
];
const MAX_REQUIREMENTS = 20;

/** Lists the requirements of a draft to edit, and the checks to add, by topic. */
export function RequirementPicker(props: Props) {
  const { forms, drafts, category, showErrors, error, serverErrors, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const nextId = Math.max(0, ...drafts.map(({ id }) => id)) + 1;
  const getForm = (name: string) => forms.find(({ check }) => check === name);
  const add = (form: RequirementForm) => {
    onChange([...drafts, { id: nextId, check: form.check, entered: {} }]);
    // After it is rendered.
    setTimeout(() => {
      const added = list.current?.lastElementChild;
      added?.scrollIntoView({ block: "nearest" });
      const field = added?.querySelector<HTMLElement>("input, select, textarea");
      (field ?? added?.querySelector("button"))?.focus();
    });
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      {drafts.length > 0 ? (
        <ul ref={list} className="grid grid-cols-1 gap-3">
          {drafts.map((draft, index) => {
            const form = getForm(draft.check);
            return (
              form && (
                <RequirementEditor
                  key={draft.id}
                  form={form}
                  draft={draft}
                  showErrors={showErrors}
                  error={serverErrors[index]}
                  onChange={(entered) => onChange(drafts.with(index, { ...draft, entered }))}
                  onRemove={() => onChange(drafts.filter(({ id }) => id !== draft.id))}
                />
              )
            );
          })}
        </ul>
      ) : (
        category !== "" && (
          <Template
            category={category}
            onUse={() =>
              onChange(
                TEMPLATES[category].flatMap((requirement, index) => {
                  const { check } = requirement;
                  const form = getForm(check);
                  const id = nextId + index;
                  return form ? [{ id, check, entered: enterRequirement(form, requirement) }] : [];
                }),
              )
            }
          />
        )
      )}
      {error && <FieldError>{error}</FieldError>}
      {drafts.length < MAX_REQUIREMENTS && (
        <section aria-label="Add a requirement" className="rounded-lg bg-sunken p-4">
          <h3 className="font-medium">Add a requirement</h3>
          <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[6rem_1fr]">
            {TOPICS.map(([topic, label]) => (
              <div key={topic} className="sm:contents">
                <dt className="text-sm text-muted sm:pt-1">{label}</dt>
                <dd className="flex flex-wrap gap-2 max-sm:mt-1">
                  {forms
                    .filter((form) => form.topic === topic)
                    .map((form) => (
                      <Button
                        key={form.check}
                        small
                        title={form.description}
                        onClick={() => add(form)}
                      >
                        {form.label}
                      </Button>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

/** Offers the first requirements of a category. */
function Template({ category, onUse }: { category: Category; onUse: () => void }) {
  const requirements = TEMPLATES[category];
  return (
    <div className="rounded-lg border border-dashed border-line p-4">
      <h3 className="font-medium">A start for {category}</h3>
      <ul className="mt-1 list-disc pl-5 text-sm text-muted">
        {requirements.map((requirement) => (
          <li key={requirement.check}>{describeRequirement(requirement)}</li>
        ))}
      </ul>
      <div className="mt-3">
        <Button small onClick={onUse}>
          Use these
        </Button>
      </div>
    </div>
  );
}
