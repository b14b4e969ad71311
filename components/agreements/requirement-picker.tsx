import { useId, useState } from "react";
import { useFieldArray } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FieldError, SelectField, TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import type { DraftForm } from "./job-fields";
import {
  findProblem,
  nameFields,
  type RequirementField,
  type RequirementForm,
} from "./requirement-fields";

interface Props {
  draft: DraftForm;
  forms: readonly RequirementForm[];
}

/** The checks that most jobs need, offered first. */
const COMMON = [
  ...["word-count", "contains", "excludes", "language"],
  ...["sections", "json", "csv", "links-respond"],
];
const TOPICS: readonly (readonly [RequirementForm["topic"] | "common", string])[] = [
  ["common", "Common"],
  ["length", "Length"],
  ["words", "Words"],
  ["structure", "Structure"],
  ["values", "Values"],
  ["code", "Code"],
  ["sources", "Sources"],
  ["files", "Files"],
];
const MAX_REQUIREMENTS = 20;

/** Lists the requirements of a draft to edit, and the checks to add. */
export function RequirementPicker({ draft, forms }: Props) {
  const { control, getError, clearErrors } = draft;
  const { fields, append, remove } = useFieldArray({ control, name: "requirements" });
  const error = getError("requirements");
  return (
    <fieldset name="requirements" tabIndex={-1} className="grid grid-cols-1 gap-4">
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
      {error && (
        <div role="alert">
          <FieldError>{fields.length === 0 ? "Add at least one requirement." : error}</FieldError>
        </div>
      )}
      {fields.length < MAX_REQUIREMENTS && (
        <AddRequirement
          forms={forms}
          onAdd={(check) => {
            clearErrors("requirements");
            append({ check });
          }}
        />
      )}
    </fieldset>
  );
}

/** Offers the checks by topic, and says what the chosen one means before it is added. */
function AddRequirement({ forms, onAdd }: Pick<Props, "forms"> & { onAdd(check: string): void }) {
  const id = useId();
  const [chosen, setChosen] = useState("");
  const meaning = forms.find(({ check }) => check === chosen)?.meaning;
  return (
    <div className="rounded-lg bg-sunken p-4">
      <label htmlFor={id} className="font-medium">
        Add a requirement
      </label>
      <div className="mt-1.5 flex gap-3">
        <select
          id={id}
          aria-describedby={`${id}-meaning`}
          className="h-10.5 min-w-0 flex-1 rounded-md border border-field bg-paper px-3"
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        >
          <option value="">Choose…</option>
          {TOPICS.map(([topic, name]) => (
            <optgroup key={topic} label={name}>
              {forms
                .filter((form) => topic === (COMMON.includes(form.check) ? "common" : form.topic))
                .map(({ check, label }) => (
                  <option key={check} value={check}>
                    {label}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <Button
          disabled={!meaning}
          onClick={() => {
            setChosen("");
            onAdd(chosen);
          }}
        >
          Add
        </Button>
      </div>
      <p id={`${id}-meaning`} className="mt-2 text-sm text-muted empty:hidden">
        {meaning}
      </p>
    </div>
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
      <p className="text-sm text-muted">{form.meaning}</p>
      <Fold
        summary="What counts exactly"
        className="mt-1 max-w-prose text-sm text-muted empty:hidden"
      >
        {form.details}
      </Fold>
      {/* An error of the whole requirement is shown below its fields. */}
      <fieldset
        name={`requirements.${index}`}
        className="mt-3 grid gap-x-4 gap-y-3 empty:hidden sm:grid-cols-2"
      >
        {form.fields.map((parameter) => {
          const control = draft.field(`requirements.${index}.${parameter.name}`);
          const entered = draft.getValues(`requirements.${index}.${parameter.name}`) ?? "";
          const error =
            control.error && (findProblem(entered, parameter) ?? nameFields(control.error));
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
