import type { ApiOperation } from "@/server/pages/schema";

const COLORS: Record<ApiOperation["method"], string> = {
  GET: "text-muted",
  POST: "text-good",
  PATCH: "text-ink",
  DELETE: "text-bad",
  EVENT: "text-muted",
};

/** Shows an HTTP method, or that the operation is an event. */
export function MethodBadge({ method }: Pick<ApiOperation, "method">) {
  return (
    <span
      className={`inline-block w-14 shrink-0 rounded bg-sunken py-0.5 text-center font-mono text-[0.6875rem] font-semibold tracking-wide ${COLORS[method]}`}
    >
      {method}
    </span>
  );
}
