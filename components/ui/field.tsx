import { type ReactNode, useId } from "react";

/** Props that connect a control with its label, hint and error. */
export interface Control {
  id: string;
  name: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  className: string;
}

interface Props {
  label: string;
  name: string;
  optional?: boolean;
  hint?: ReactNode;
  /** What's wrong, as a sentence. */
  error?: string | undefined;
  children: (control: Control) => ReactNode;
}

const CONTROL =
  "mt-1.5 block w-full rounded-md border border-line bg-paper px-3 py-2 placeholder:text-muted aria-invalid:border-bad";

/** Renders a control with its label, hint and error. */
export function Field({ label, name, optional, hint, error, children }: Props) {
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
        name,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
        className: CONTROL,
      })}
      {error && (
        <FieldError id={errorId} className="mt-1.5">
          {error}
        </FieldError>
      )}
      {hint && (
        <p id={hintId} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface ErrorProps {
  id?: string;
  className?: string;
  children: ReactNode;
}

/** Shows an error with an icon, not by colour alone. */
export function FieldError({ id, className = "", children }: ErrorProps) {
  return (
    <p id={id} className={`flex gap-1.5 text-sm text-bad ${className}`}>
      <svg viewBox="0 0 16 16" className="mt-0.5 size-4 shrink-0" aria-hidden="true" fill="none">
        <circle cx="8" cy="8" r="6.6" stroke="currentColor" strokeWidth="1.4" />
        <path d="M8 4.6v4M8 10.6v.9" stroke="currentColor" strokeWidth="1.6" />
      </svg>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
