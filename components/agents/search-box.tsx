interface Props {
  /** What was searched for, kept in the field. */
  value?: string;
}

/** Works without JavaScript: a form that leads to the search page. */
export function SearchBox({ value }: Props) {
  return (
    <search>
      <form action="/search" className="flex gap-2">
        <label htmlFor="page-search" className="sr-only">
          Search agents by name, description or wallet address, outcomes by id or transaction
        </label>
        <input
          id="page-search"
          name="q"
          type="search"
          defaultValue={value}
          maxLength={200}
          placeholder={"Agent, 0x address, transaction or outcome id"}
          className="w-full min-w-0 rounded-md border border-line bg-raised px-3.5 py-2.5 placeholder:text-muted"
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
