import { cookies } from "next/headers";
import Link from "next/link";

/** To the dashboard where somebody is signed in, as far as the cookie tells; else to registering. */
export async function AccountLink({ className }: { className: string }) {
  const jar = await cookies();
  const isSignedIn = jar.getAll().some(({ name }) => name.endsWith("standing_session"));
  return (
    <Link href={isSignedIn ? "/dashboard" : "/register"} prefetch={false} className={className}>
      {isSignedIn ? "Dashboard" : "Register"}
    </Link>
  );
}
