import { useFieldArray } from "react-hook-form";
import type { useOwnerForm } from "@/components/account/owner-form";
import { Button } from "@/components/ui/button";
import { FieldError, SelectField, TextField } from "@/components/ui/field";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { Requirement } from "@/server/judging/requirements/schema";
import type { Category } from "@/server/lib/schema";
import { type AgreementDraft, readRequirements } from "./agreement-draft";
import { findProblem, type RequirementField, type RequirementForm } from "./requirement-fields";
import { TEMPLATES } from "./templates";

type DraftForm = ReturnType<typeof useOwnerForm<AgreementDraft>>;

interface Props {
  draft: DraftForm;
  forms: readonly RequirementForm[];
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
export function RequirementPicker({ draft, forms }: Props) {
  const { control, watch, getError, clearErrors } = draft;
  const { fields, append, remove } = useFieldArray({ control, name: "requirements" });
  const category = watch("category");
  const error = getError("requirements");
  return (
    <fieldset name="requirements" className="grid grid-cols-1 gap-4">
      <ul className="grid grid-cols-1 gap-3 empty:hidden">
        {fields.map(({ id, check }, index) => {
          const form = forms.find((one) => one.check === check);
          return (
            form && (
              <RequirementEditor
                key={id}
                draft={draft}
                form={form}
                index={index}
                onRemove={() => remove(index)}
              />
            )
          );
        })}
      </ul>
      {fields.length === 0 && category !== "" && (
        <Template
          category={category}
          requirements={readRequirements(TEMPLATES[category], forms)}
          onUse={() => append(TEMPLATES[category])}
        />
      )}
      {error && (
        <FieldError>{fields.length === 0 ? "Add at least one requirement." : error}</FieldError>
      )}
      {fields.length < MAX_REQUIREMENTS && (
        <section aria-label="Add a requirement" className="rounded-lg bg-sunken p-4">
          <h3 className="font-medium">Add a requirement</h3>
          <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[6rem_1fr]">
            {TOPICS.map(([topic, label]) => (
              <div key={topic} className="sm:contents">
                <dt className="text-sm text-muted sm:pt-1">{label}</dt>
                <dd className="flex flex-wrap gap-2 max-sm:mt-1">
                  {forms
                    .filter((form) => form.topic === topic)
                    .map(({ check, label: name, description }) => (
                      <Button
                        key={check}
                        small
                        title={description}
                        onClick={() => {
                          clearErrors("requirements");
                          append({ check });
                        }}
                      >
                        {name}
                      </Button>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </fieldset>
  );
}

interface EditorProps {
  draft: DraftForm;
  form: RequirementForm;
  index: number;
  onRemove: () => void;
}

const ROWS: Partial<Record<RequirementField["input"], number>> = {
  source: 8,
  json: 6,
  lines: 3,
  pairs: 3,
};

/** Edits one requirement. */
function RequirementEditor({ draft, form, index, onRemove }: EditorProps) {
  const error = draft.getError(`requirements.${index}`);
  return (
    <li className="rounded-lg border border-line bg-raised p-4">
      <div className="flex items-start justify-between gap-4">
        <h3 className="min-w-0 font-medium break-words">{form.label}</h3>
        <Button small onClick={onRemove} aria-label={`Remove: ${form.label}`}>
          Remove
        </Button>
      </div>
      <details className="text-sm text-muted">
        <summary className="w-fit cursor-pointer hover:text-ink">What counts</summary>
        <p className="mt-1 max-w-prose">{form.description}</p>
      </details>
      {/* An error of the whole requirement is shown below its fields. */}
      <fieldset
        name={`requirements.${index}`}
        className="mt-3 grid gap-x-4 gap-y-3 empty:hidden sm:grid-cols-2"
      >
        {form.fields.map((parameter) => {
          const control = draft.field(`requirements.${index}.${parameter.name}`);
          const entered = draft.getValues(`requirements.${index}.${parameter.name}`) ?? "";
          const error = control.error && (findProblem(entered, parameter) ?? control.error);
          return (
            <div
              key={parameter.name}
              className={ROWS[parameter.input] ? "sm:col-span-2" : undefined}
            >
              <ParameterField parameter={parameter} control={{ ...control, error }} />
            </div>
          );
        })}
      </fieldset>
      {error && <FieldError>{error}</FieldError>}
    </li>
  );
}

interface FieldProps {
  parameter: RequirementField;
  control: ReturnType<DraftForm["field"]>;
}

/** Renders the control of one parameter. */
function ParameterField({ parameter, control }: FieldProps) {
  const { label, hint, input, isOptional, options } = parameter;
  if (input === "choice") {
    const choices = options.map((option) => [option, option] as const);
    return (
      <SelectField {...control} label={label} optional={isOptional} isOpen options={choices} />
    );
  }
  if (input === "flag") {
    const { error: _, defaultValue: __, ...box } = control;
    return (
      <label className="flex items-baseline gap-2">
        <input {...box} type="checkbox" className="accent-accent" />
        {label}
      </label>
    );
  }
  return (
    <TextField
      {...control}
      label={label}
      optional={isOptional}
      hint={hint}
      inputMode={input === "number" ? "decimal" : "text"}
      autoComplete="off"
      spellCheck={false}
      rows={ROWS[input]}
    />
  );
}

interface TemplateProps {
  category: Category;
  requirements: readonly Requirement[];
  onUse: () => void;
}

/** Offers the first requirements of a category. */
function Template({ category, requirements, onUse }: TemplateProps) {
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
