import { renderSecurityTxt } from "@/server/pages/discovery";
import { getSecurityContact, getSiteUrl } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves where to report vulnerabilities (RFC 9116), if the operator configured it. */
export async function GET(request: Request): Promise<Response> {
  const contact = await getSecurityContact();
  if (!contact) return new Response("SECURITY_CONTACT is not configured.\n", { status: 404 });
  const body = renderSecurityTxt(contact, await getSiteUrl(), new Date());
  return respondText(request, body, "text/plain");
}
