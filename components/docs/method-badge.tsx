import type { ApiOperation } from "@/server/pages/schema";
import styles from "./docs.module.css";

/** Shows an HTTP method, or that the operation is an event. */
export function MethodBadge({ method }: Pick<ApiOperation, "method">) {
  return (
    <span className={styles.badge} data-method={method}>
      {method}
    </span>
  );
}
