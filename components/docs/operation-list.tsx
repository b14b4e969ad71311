import type { ApiOperation, ApiTag } from "@/server/pages/schema";
import styles from "./docs.module.css";

/** Lists every operation by tag. */
export function OperationList({ tags }: { tags: ApiTag[] }) {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      {tags.map(({ name, description, operations }) => (
        <section key={name}>
          <h3 className="font-medium">{name}</h3>
          <p className="mb-2 text-sm text-muted">{description}</p>
          <OperationLinks operations={operations} />
        </section>
      ))}
    </div>
  );
}

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
