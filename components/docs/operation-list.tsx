import Link from "next/link";
import type { ApiTag } from "@/server/pages/schema";
import { MethodBadge } from "./method-badge";

/** Lists every operation by tag. */
export function OperationList({ tags }: { tags: ApiTag[] }) {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      {tags.map(({ name, description, operations }) => (
        <section key={name}>
          <h3 className="font-medium">{name}</h3>
          <p className="text-sm text-muted">{description}</p>
          <ul className="mt-2">
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <Link
                  href={`/docs/operations/${id}`}
                  prefetch={false}
                  className="-mx-2 flex items-start gap-3 rounded-md px-2 py-2 text-sm hover:bg-sunken"
                >
                  <MethodBadge method={method} />
                  <span className="min-w-0">
                    <code className="block break-all">{path}</code>
                    {method !== "EVENT" && <span className="text-muted">{summary}</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
