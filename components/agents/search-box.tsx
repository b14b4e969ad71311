interface Props {
  /** Initial query. */
  value?: string;
}

/** Renders a search form that works without JavaScript. */
export function SearchBox({ value }: Props) {
  return (
    <search>
      <form action="/search" className="flex gap-2">
        <label htmlFor="page-search" className="sr-only">
          Search agents by name, description or wallet address, outcomes by ID or transaction
        </label>
        <input
          id="page-search"
          name="q"
          type="search"
          defaultValue={value}
          maxLength={200}
          placeholder={"Agent, 0x address, transaction or outcome ID"}
          className="w-full min-w-0 rounded-md border border-field bg-raised px-3.5 py-2.5 placeholder:text-muted"
        />
        <button
          type="submit"
          className="rounded-md bg-accent px-4 font-medium text-accent-ink hover:opacity-90"
        >
          Search
        </button>
      </form>
    </search>
  );
}
