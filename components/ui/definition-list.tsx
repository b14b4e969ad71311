interface Props {
  /** Terms with their explanations. */
  items: readonly (readonly [term: string, explanation: string])[];
  /** Layout of the list. */
  className: string;
}

/** Lists terms, each with its explanation below. */
export function DefinitionList({ items, className }: Props) {
  return (
    <dl className={`grid ${className}`}>
      {items.map(([term, explanation]) => (
        <div key={term}>
          <dt className="font-medium">{term}</dt>
          <dd className="mt-1 text-sm text-muted">{explanation}</dd>
        </div>
      ))}
    </dl>
  );
}
