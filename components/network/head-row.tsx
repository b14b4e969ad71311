interface Props {
  /** Titles, with the classes of their cells. */
  columns: readonly (readonly [title: string, className: string])[];
}

/** Names the columns of a list. */
export function HeadRow({ columns }: Props) {
  return (
    <tr className="border-b border-line text-sm text-muted">
      {columns.map(([title, className]) => (
        <th key={title} scope="col" className={`py-2 pr-4 font-normal last:pr-0 ${className}`}>
          {title}
        </th>
      ))}
    </tr>
  );
}
