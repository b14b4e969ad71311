import type { ApiOperation, ApiTag } from "@/server/pages/schema";
import styles from "./docs.module.css";

/** Lists every operation by tag. */
export function OperationList({ tags }: { tags: ApiTag[] }) {
  return (
    <div className={`grid gap-x-10 gap-y-8 xl:grid-cols-2 ${styles.operations}`}>
      {tags.map(({ name, description, operations }) => (
        <section key={name}>
          <h3 className="font-medium">{name}</h3>
          <p className="mb-2 text-sm text-muted">{description}</p>
          <ul>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`/docs/operations/${id}`}>
                  <MethodBadge method={method} />
                  <code>{path}</code>
                  {method !== "EVENT" && <span>{summary}</span>}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Shows an HTTP method, or that the operation is an event. */
export function MethodBadge({ method }: Pick<ApiOperation, "method">) {
  return (
    <span className={styles.badge} data-method={method}>
      {method}
    </span>
  );
}
