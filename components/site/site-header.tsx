import { cookies } from "next/headers";
import { HeaderBar } from "./header-bar";
import { listPagesIn } from "./pages";

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
