import { type ComponentProps, type ReactNode, useId } from "react";
import { Icon } from "./icon";

interface Labels {
  label: string;
  optional?: boolean;
  hint?: ReactNode;
  /** What's wrong, as a sentence. */
  error?: string | undefined;
}

interface TextProps extends Labels, ComponentProps<"input"> {
  /** Renders a textarea of this height instead of an input. */
  rows?: number;
}

/** Renders a text field with its label, hint and error. */
export function TextField({ label, optional, hint, error, rows, ...rest }: TextProps) {
  return (
    <Field {...{ label, optional, hint, error }}>
      {(described) => {
        const control = {
          ...rest,
          ...described,
          className:
            "mt-1.5 block min-h-11 w-full rounded-md border border-field bg-paper px-3 py-2 placeholder:text-muted aria-invalid:border-bad",
        };
        if (!rows) return <input {...control} />;
        return <textarea {...(control as ComponentProps<"textarea">)} rows={rows} />;
      }}
    </Field>
  );
}

type Described = Pick<ComponentProps<"input">, "id" | "aria-describedby" | "aria-invalid">;

interface FieldProps extends Labels {
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
        <p id={hintId} className="mt-1.5 text-sm wrap-anywhere text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectProps extends Labels, ComponentProps<"select"> {
  /** Value and label of each option. */
  options: readonly (readonly [value: string, label: string])[];
  /** Whether nothing is chosen at first. */
  isOpen?: boolean;
}

/** Renders a choice with its label, hint and error. */
export function SelectField(props: SelectProps) {
  const { label, optional, hint, error, options, isOpen, ...rest } = props;
  return (
    <Field {...{ label, optional, hint, error }}>
      {(described) => (
        <select
          {...rest}
          {...described}
          className="mt-1.5 block h-11 w-full rounded-md border border-field bg-paper px-3 aria-invalid:border-bad"
        >
          {isOpen && <option value="">Choose…</option>}
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

interface ChoicesProps<Option extends string>
  extends Omit<Labels, "hint">,
    ComponentProps<"input"> {
  options: readonly Option[];
  /** Classes of the list of choices. */
  list: string;
  /** Classes of the label of a choice. */
  labelClass?: string;
  renderOption: (option: Option) => ReactNode;
}

/** Renders a checkbox or radio button per option, with a label and an error for all of them. */
export function Choices<Option extends string>(props: ChoicesProps<Option>) {
  const { label, optional, error, options, list, renderOption, ...rest } = props;
  const { labelClass = "flex items-baseline gap-2", className = "", ...control } = rest;
  const errorId = useId();
  return (
    <fieldset aria-describedby={error && errorId}>
      <legend className="font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </legend>
      <div className={list}>
        {options.map((option) => (
          <label key={option} className={labelClass}>
            <input
              type="checkbox"
              {...control}
              defaultValue={undefined}
              value={option}
              className={`accent-accent ${className}`}
            />
            {renderOption(option)}
          </label>
        ))}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  );
}
