import { Button } from "@/components/ui/button";
import { FieldError, SelectField, TextField } from "@/components/ui/field";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { RequirementDraft } from "./agreement-draft";
import {
  type EnteredParameters,
  parseRequirement,
  type RequirementField,
  type RequirementForm,
} from "./requirement-fields";

interface Props {
  form: RequirementForm;
  draft: RequirementDraft;
  /** Whether to mark what is missing. */
  showErrors: boolean;
  /** What the service says about it. */
  error: string | undefined;
  onChange: (entered: EnteredParameters) => void;
  onRemove: () => void;
}

/** Edits one requirement below its description, which follows what is entered. */
export function RequirementEditor(props: Props) {
  const { form, draft, showErrors, error, onChange, onRemove } = props;
  const parsed = parseRequirement(form, draft.entered);
  const errors = "errors" in parsed && showErrors ? parsed.errors : {};
  const title = "requirement" in parsed ? describeRequirement(parsed.requirement) : form.label;
  return (
    <li className="rounded-lg border border-line bg-raised p-4">
      <div className="flex items-start justify-between gap-4">
        <h3 className="min-w-0 font-medium break-words">{title}</h3>
        <Button small onClick={onRemove} aria-label={`Remove: ${title}`}>
          Remove
        </Button>
      </div>
      <details className="text-sm text-muted">
        <summary className="w-fit cursor-pointer hover:text-ink">What counts</summary>
        <p className="mt-1 max-w-prose">{form.description}</p>
      </details>
      {form.fields.length > 0 && (
        <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2">
          {form.fields.map((field) => (
            <div key={field.name} className={WIDE.has(field.input) ? "sm:col-span-2" : undefined}>
              <ParameterField
                field={field}
                name={`${draft.id}.${field.name}`}
                value={draft.entered[field.name] ?? ""}
                error={errors[field.name]}
                onChange={(value) => onChange({ ...draft.entered, [field.name]: value })}
              />
            </div>
          ))}
        </div>
      )}
      {error && <FieldError>{error}</FieldError>}
    </li>
  );
}

const ROWS: Partial<Record<RequirementField["input"], number>> = {
  source: 8,
  json: 6,
  lines: 3,
  pairs: 3,
};
const WIDE = new Set<RequirementField["input"]>(["source", "json", "lines", "pairs"]);

interface FieldProps {
  field: RequirementField;
  name: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** Renders the control of one parameter. */
function ParameterField({ field, ...control }: FieldProps) {
  const { label, hint, input, isOptional, options } = field;
  if (input === "choice") {
    const choices = options.map((option) => [option, option] as const);
    return <SelectField {...control} label={label} optional={isOptional} options={choices} />;
  }
  if (input === "flag") {
    return (
      <label className="flex items-baseline gap-2">
        <input
          type="checkbox"
          name={control.name}
          className="accent-accent"
          checked={control.value === "true"}
          onChange={({ target }) => control.onChange(target.checked ? "true" : "")}
        />
        {label}
      </label>
    );
  }
  const rows = ROWS[input];
  return (
    <TextField
      {...control}
      label={label}
      optional={isOptional}
      hint={hint}
      inputMode={input === "number" ? "decimal" : "text"}
      autoComplete="off"
      spellCheck={false}
      {...(rows ? { rows } : {})}
    />
  );
}
