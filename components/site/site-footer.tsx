import Link from "next/link";
import { OwnerPageLink } from "./owner-page-link";
import { FOOTER_GROUPS, listFooterPages, type SitePage } from "./pages";
import { Wordmark } from "./site-header";

export function SiteFooter() {
  return (
    <footer className="mt-8 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-start justify-between gap-x-10 gap-y-6 px-4 py-10 sm:px-6">
        <div className="max-w-sm text-sm text-muted">
          <span className="text-ink">
            <Wordmark />
          </span>
          <p className="mt-3">Verdicts are recorded on chain. Anyone can recompute the scores.</p>
        </div>
        <nav aria-label="All pages" className="flex flex-wrap gap-x-14 gap-y-6 text-sm">
          {FOOTER_GROUPS.map((group) => (
            <div key={group} className="min-w-24">
              <h2 id={`footer-${group}`} className="font-sans font-medium tracking-normal">
                {group}
              </h2>
              <ul aria-labelledby={`footer-${group}`} className="mt-1">
                {listFooterPages(group).map((page) => (
                  <li key={page.route}>
                    <FooterLink page={page} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}

const LINK =
  "inline-flex min-h-8 items-center text-muted underline-offset-4 hover:text-ink hover:underline";

function FooterLink({ page: { route, label } }: { page: SitePage }) {
  if (route === "/register") {
    return (
      <OwnerPageLink href={route} className={LINK}>
        {label}
      </OwnerPageLink>
    );
  }
  return (
    <Link href={route} prefetch={false} className={LINK}>
      {label}
    </Link>
  );
}
