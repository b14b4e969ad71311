/** What a payment involves, and the details in a sentence. */
export type Term = readonly [label: string, text: string];

/** Lists the terms of a payment before it is made. */
export function TermList({ title, terms }: { title: string; terms: readonly Term[] }) {
  return (
    <div className="rounded-md bg-sunken p-4">
      <p className="font-medium">{title}</p>
      <dl className="mt-2 grid gap-x-5 gap-y-2 text-sm sm:grid-cols-[10rem_1fr]">
        {terms.map(([label, text]) => (
          <div key={label} className="sm:contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
