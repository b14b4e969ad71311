export interface Operation {
  method: string;
  path: string;
  summary: string;
}

/** Lists every operation by tag; readable without JavaScript. */
export function OperationList({ tags }: { tags: [name: string, operations: Operation[]][] }) {
  return (
    <div className="grid gap-6">
      {tags.map(([name, operations]) => (
        <div key={name}>
          <h3 className="font-medium">{name}</h3>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            {operations.map(({ method, path, summary }) => (
              <li
                key={`${method} ${path}`}
                className="grid grid-cols-1 gap-x-4 py-2 text-sm sm:grid-cols-[4.5rem_1fr_1fr]"
              >
                <span className="text-muted">{method}</span>
                <code className="break-all">{path}</code>
                <span>{summary}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
