import { cookies } from "next/headers";
import { FooterColumns } from "./footer-columns";
import { HeaderBar } from "./header-bar";
import { FOOTER_GROUPS, listFooterPages, listPagesIn } from "./pages";
import type { Theme } from "./theme";

export async function SiteHeader() {
  return (
    <HeaderBar
      links={listPagesIn("header").map(({ route, label }) => [route, label])}
      isSignedIn={await hasSessionCookie()}
    />
  );
}

/** Returns whether a session cookie exists; the owner pages check it. */
async function hasSessionCookie(): Promise<boolean> {
  return (await cookies()).getAll().some(({ name }) => name.endsWith("standing_session"));
}

export function SiteFooter({ theme }: { theme: Theme }) {
  return (
    <FooterColumns
      theme={theme}
      columns={FOOTER_GROUPS.map((title) => [
        title,
        listFooterPages(title).map(({ route, label, isOwnerPage = false }) => [
          route,
          label,
          isOwnerPage,
        ]),
      ])}
    />
  );
}

/** Marks local mode, so that it isn't mistaken for the public service. */
export function LocalBanner({ simulated }: { simulated: boolean }) {
  return (
    <aside
      aria-label="Local mode"
      className="bg-notice px-4 py-1.5 text-center text-sm text-notice-ink"
    >
      Local mode: test USDC{simulated && ", simulated history"}
    </aside>
  );
}
