import type { Metadata } from "next";
import { SearchBox } from "@/components/agents/search-box";
import { MissingPage } from "@/components/site/missing-page";
import { listPagesIn } from "@/components/site/pages";
import { TextLink } from "@/components/ui/text-link";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <MissingPage />
      <SearchBox />
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
