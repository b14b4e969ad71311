"use client";

import { type ReactNode, useEffect, useRef } from "react";
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { describeError, getProblem } from "@/components/wallet/error-notice";

interface Options<Values> {
  /** Key in session storage of the draft, which thereby survives a reload; null to store none. */
  storedAs?: string | null;
  /** Called after each change of a value. */
  onChange?: (() => void) | undefined;
  /** What the form has once it was sent; what was entered if not given. */
  emptied?: Values;
}

/**
 * Manages a form whose fields have the names of a procedure's input. The service validates it: `send`
 * rejects with its problem, whose errors are shown at their fields.
 */
export function useOwnerForm<Values extends FieldValues>(
  defaultValues: DefaultValues<Values>,
  send: (values: Values) => Promise<unknown>,
  { storedAs = null, onChange, emptied }: Options<Values> = {},
) {
  const form = useForm<Values>({ defaultValues });
  const { errors, isSubmitting } = form.formState;
  const container = useRef<HTMLElement>(null);
  const notify = useRef(onChange);
  notify.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form never changes
  useEffect(() => {
    const stored = storedAs && sessionStorage.getItem(storedAs);
    if (stored) form.reset({ ...form.getValues(), ...JSON.parse(stored) });
    const { unsubscribe } = form.watch((values) => {
      if (storedAs) sessionStorage.setItem(storedAs, JSON.stringify(values));
      notify.current?.();
    });
    return unsubscribe;
  }, [storedAs]);
  return {
    ...form,
    /** Holds the fields. */
    container: (element: HTMLElement | null) => {
      container.current = element;
    },
    isBusy: isSubmitting,
    /** What is wrong apart from the fields. */
    failure: errors.root?.message,
    /** Returns the properties of the field `name`, with its error. */
    field: (name: FieldPath<Values>, rules?: RegisterOptions<Values>) => ({
      ...form.register(name, rules),
      defaultValue: (get(defaultValues, name) ?? undefined) as string | undefined,
      error: form.getFieldState(name, form.formState).error?.message,
    }),
    submit: (event?: React.BaseSyntheticEvent) => {
      // Those of the service would otherwise keep the form from being sent again.
      form.clearErrors();
      return form.handleSubmit((values) =>
        send(values).then(
          () => emptied && form.reset(emptied),
          (error) => showProblem(form, container.current, error),
        ),
      )(event);
    },
    /** Shows the errors of a problem at their fields. */
    show: (error: unknown) => showProblem(form, container.current, error),
    getError: (name: FieldPath<Values>) => form.getFieldState(name, form.formState).error?.message,
    discardDraft: () => storedAs && sessionStorage.removeItem(storedAs),
  };
}

/** Shows the errors of a problem at their fields, and focuses the first one of these. */
function showProblem<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  container: HTMLElement | null,
  error: unknown,
) {
  const fields = [...(container?.querySelectorAll<HTMLInputElement>("[name]") ?? [])];
  const names = new Set(fields.map(({ name }) => name));
  const messages = (getProblem(error)?.errors ?? []).map(({ pointer, detail }) => {
    const name = findField(pointer, names);
    return name ? ([name, `This ${detail}.`] as const) : (["root", describeError(error)] as const);
  });
  if (messages.length === 0) messages.push(["root", describeError(error)]);
  for (const [name, message] of messages) {
    form.setError(name as FieldPath<Values> | "root", { message });
  }
  const wrong = new Set<string>(messages.map(([name]) => name));
  const first = fields.find(({ name }) => wrong.has(name));
  // A folded field can't have the focus.
  first?.closest("details")?.setAttribute("open", "");
  first?.focus();
}

/** Returns the field that a JSON Pointer means or is in: `#/links/website`, `#/events/0`. */
function findField(pointer: string, names: ReadonlySet<string>): string | undefined {
  const path = pointer.split("/").slice(1);
  return path
    .map((_, index) => path.slice(0, path.length - index).join("."))
    .find((name) => names.has(name));
}

interface Props<Values extends FieldValues> {
  form: Pick<
    ReturnType<typeof useOwnerForm<Values>>,
    "container" | "submit" | "isBusy" | "failure"
  >;
  /** Name of the form, for screen readers. */
  name: string;
  /** Labels of the button that submits it, before and while it is sent. */
  labels: readonly [label: string, busy: string];
  variant?: "primary" | "secondary";
  className?: string;
  /** Rendered beside the button. */
  status?: ReactNode;
  children: ReactNode;
}

/** Renders the fields of a form above its button and what else is wrong. */
export function OwnerForm<Values extends FieldValues>(props: Props<Values>) {
  const { form, name, labels, variant = "primary", status, children } = props;
  const { className = "grid grid-cols-1 gap-4" } = props;
  return (
    <form
      ref={form.container}
      noValidate
      aria-label={name}
      className={className}
      onSubmit={form.submit}
    >
      {children}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant={variant} busy={form.isBusy}>
          {labels[form.isBusy ? 1 : 0]}
        </Button>
        {status}
      </div>
      {form.failure && <Notice role="alert">{form.failure}</Notice>}
    </form>
  );
}
