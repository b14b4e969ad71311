import type { Metadata } from "next";
import { SearchBox } from "@/components/agents/search-box";
import { listPagesIn } from "@/components/site/pages";
import { SearchForPath } from "@/components/site/search-for-path";
import { TextLink } from "@/components/ui/text-link";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <h1 className="mt-1 text-3xl font-semibold">Page not found</h1>
      <p className="mt-3 mb-6 text-muted">
        The address may be mistyped, or the agent isn't registered. Search by name, wallet address,
        transaction hash or outcome ID.
      </p>
      <SearchBox />
      <SearchForPath />
      <ul className="mt-8 grid gap-2">
        {listPagesIn("not-found").map(({ route, label, summary = "" }) => (
          <li key={route}>
            <TextLink href={route}>{label}</TextLink>
            <span className="text-muted">
              : {summary.charAt(0).toLowerCase() + summary.slice(1)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
