import { AppError } from "@/server/lib/errors";
import { renderSecurityTxt } from "@/server/pages/discovery";
import { getSecurityContact, getSiteUrl } from "@/server/pages/page-api";
import { respondProblem, respondText } from "@/server/pages/respond-cached";

/** Serves where to report vulnerabilities (RFC 9116), if the operator configured it. */
export async function GET(request: Request): Promise<Response> {
  const contact = await getSecurityContact();
  if (!contact) {
    const detail = "This service names no contact: its operator has not set SECURITY_CONTACT.";
    return respondProblem(request, new AppError("not-found", detail));
  }
  const body = renderSecurityTxt(contact, await getSiteUrl(), new Date());
  return respondText(request, body, "text/plain");
}
