import { redirect } from "next/navigation";
import { cache } from "react";
import { getOwnerApi, getSignedInAccount } from "./page-api";

/** Returns the account of the requesting browser, or null; read once per request. */
export const readAccount = cache(getSignedInAccount);

/**
 * Returns the signed-in owner's agent and API. Redirects to registration without a verified agent,
 * and to the sign-in page without a session.
 * @param section Section of the dashboard to return to after signing in.
 */
export async function requireOwner(section?: string) {
  const account = await readAccount();
  if (!account) redirect(section ? `/sign-in?section=${section}` : "/sign-in");
  const { agent, walletAddress } = account;
  if (!agent?.walletVerified) redirect("/register");
  return { agent, walletAddress, api: await getOwnerApi() };
}
