import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from "react";
import { Icon } from "./icon";

type InputProps = Pick<
  ComponentProps<"input">,
  "type" | "inputMode" | "autoComplete" | "placeholder" | "readOnly" | "required" | "spellCheck"
>;

interface Props extends InputProps {
  label: string;
  name: string;
  optional?: boolean;
  hint?: string;
  /** What's wrong, as a sentence. */
  error?: string | undefined;
  /** Renders a textarea of this height instead of an input. */
  rows?: number;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** Renders a text field with its label, hint and error. */
export function TextField({ label, optional, hint, error, rows, onChange, ...rest }: Props) {
  return (
    <Field {...{ label, optional, hint, error }}>
      {(described) => {
        const control = {
          ...rest,
          ...described,
          className:
            "mt-1.5 block w-full rounded-md border border-field bg-paper px-3 py-2 placeholder:text-muted aria-invalid:border-bad",
          onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onChange(target.value),
        };
        return rows ? <textarea {...control} rows={rows} /> : <input {...control} />;
      }}
    </Field>
  );
}

type Described = Pick<ComponentProps<"input">, "id" | "aria-describedby" | "aria-invalid">;

interface FieldProps {
  label: string;
  optional: boolean | undefined;
  hint: string | undefined;
  error: string | undefined;
  children: (described: Described) => ReactNode;
}

/** Renders a control between its label and its error and hint, which describe it. */
function Field({ label, optional, hint, error, children }: FieldProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <p id={hintId} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectProps {
  label: string;
  name: string;
  optional?: boolean;
  /** Value and label of each option. */
  options: readonly (readonly [value: string, label: string])[];
  hint?: string;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** Renders a choice with its label, hint and error; an empty value asks to choose. */
export function SelectField(props: SelectProps) {
  const { label, optional, options, hint, error, onChange, ...rest } = props;
  return (
    <Field {...{ label, optional, hint, error }}>
      {(described) => (
        <select
          {...rest}
          {...described}
          className="mt-1.5 block h-10.5 w-full rounded-md border border-field bg-paper px-3 aria-invalid:border-bad"
          onChange={({ target }) => onChange(target.value)}
        >
          {rest.value === "" && <option value="">Choose…</option>}
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Shows an error with an icon, not by colour alone. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex gap-1.5 text-sm text-bad">
      <Icon
        path="M8 1.4a6.6 6.6 0 100 13.2 6.6 6.6 0 000-13.2zM8 4.6v4M8 10.8v.5"
        className="mt-0.5 size-4 shrink-0"
        box={16}
      />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

interface CheckboxesProps<Option extends string> {
  name: string;
  options: readonly Option[];
  selected: readonly Option[];
  /** Gets the selected options in the order of `options`. */
  onChange: (selected: Option[]) => void;
  labelClass: string;
  inputClass?: string;
  children: (option: Option) => ReactNode;
}

/** Renders one checkbox per option. */
export function Checkboxes<Option extends string>(props: CheckboxesProps<Option>) {
  const { name, options, selected, onChange, labelClass, inputClass = "", children } = props;
  return options.map((option) => (
    <label key={option} className={labelClass}>
      <input
        type="checkbox"
        name={name}
        className={`accent-accent ${inputClass}`}
        checked={selected.includes(option)}
        onChange={({ target }) =>
          onChange(
            options.filter((one) => (one === option ? target.checked : selected.includes(one))),
          )
        }
      />
      {children(option)}
    </label>
  ));
}

/** Focuses a form's first field with this name. */
export function focusField(form: HTMLElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}
