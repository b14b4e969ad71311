import type { ApiOperation, ApiTag } from "@/server/pages/schema";
import styles from "./docs.module.css";

/** Links to operations. */
export function OperationLinks({ operations }: Pick<ApiTag, "operations">) {
  return (
    <ul className={styles.operations}>
      {operations.map(({ id, method, path, summary }) => (
        <li key={id}>
          <a href={`/docs/operations/${id}`}>
            <MethodBadge method={method} />
            <code>{path}</code>
            {method !== "EVENT" && <small>{summary}</small>}
          </a>
        </li>
      ))}
    </ul>
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
