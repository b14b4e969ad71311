import { cookies } from "next/headers";
import { OwnersLink } from "./owners-link";

/** To the dashboard where somebody is signed in, as far as the cookie tells; else to registering. */
export async function AccountLink({ className }: { className: string }) {
  const jar = await cookies();
  const isSignedIn = jar.getAll().some(({ name }) => name.endsWith("standing_session"));
  return (
    <OwnersLink href={isSignedIn ? "/dashboard" : "/register"} className={className}>
      {isSignedIn ? "Dashboard" : "Register"}
    </OwnersLink>
  );
}
