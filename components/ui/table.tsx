import type { ReactNode } from "react";

/** Title, classes of all cells, the content of a row's cell, and of the header if the title is not enough. */
export type Column<Row> = readonly [
  title: string,
  className: string,
  cell: (row: Row, index: number) => ReactNode,
  head?: ReactNode,
];

interface Props<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  className?: string;
  /** Position of the column with the row headers. */
  headerColumn?: number;
  /** Title of the column that the rows are sorted by. */
  sorted?: readonly [title: string, direction: "ascending" | "descending"] | undefined;
  /** Attributes of a row. */
  getRowProps?: (row: Row) => { id?: string; className?: string };
}

export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, className = "", headerColumn = 0, sorted, getRowProps } = props;
  return (
    <table className={`w-full border-collapse ${className}`}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-sm text-muted">
          {columns.map(([title, cellClass, , head = title]) => (
            <th
              key={title}
              scope="col"
              aria-sort={sorted?.[0] === title ? sorted[1] : undefined}
              className={cellClass}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const { className: rowClass = "", ...rowProps } = getRowProps?.(row) ?? {};
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: arrivals change rows instead of moving them.
            <tr key={index} className={`border-b border-line ${rowClass}`} {...rowProps}>
              {columns.map(([title, cellClass, cell], at) =>
                at === headerColumn ? (
                  <th key={title} scope="row" className={cellClass}>
                    {cell(row, index)}
                  </th>
                ) : (
                  <td key={title} className={cellClass}>
                    {cell(row, index)}
                  </td>
                ),
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
