import type { ComponentProps } from "react";
import { HiddenFields } from "@/components/ui/hidden-fields";

interface Props {
  action: string;
  /** Name for screen readers. */
  label: string;
  placeholder: string;
  /** Label of the button. */
  button: string;
  /** Parameter of the query. */
  name?: string;
  /** Initial text. */
  value?: string | undefined;
  /** Other parameters of the URL, which stay. */
  kept?: ComponentProps<typeof HiddenFields>["values"];
}

/** Renders a search form that works without JavaScript. */
export function SearchForm(props: Props) {
  const { action, label, placeholder, button, name = "q", value, kept = {} } = props;
  return (
    <search>
      <form action={action} className="flex gap-2">
        <HiddenFields values={kept} />
        <input
          key={value}
          name={name}
          type="search"
          aria-label={label}
          defaultValue={value}
          maxLength={200}
          placeholder={placeholder}
          className="h-11 w-full min-w-0 rounded-md border border-field bg-raised px-3.5 placeholder:text-muted"
        />
        <button
          type="submit"
          className="h-11 shrink-0 rounded-md bg-accent px-4 font-medium text-accent-ink hover:opacity-90"
        >
          {button}
        </button>
      </form>
    </search>
  );
}

/** Searches agents and records. */
export const SearchBox = ({ value }: { value?: string | undefined }) => (
  <SearchForm
    action="/search"
    label="Search by kind of work, agent, wallet address, transaction or job ID"
    placeholder="Code review, a name or 0x…"
    button="Search"
    value={value}
  />
);
