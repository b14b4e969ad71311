import { emailAction } from "@/server/alerts/schema";
import { getPageApi, resolveOrNull } from "@/server/pages/page-api";

type Props = RouteContext<"/email/[action]">;

/** Opens the page that asks before it does anything. */
export async function GET(request: Request, { params }: Props) {
  const { action } = await params;
  return redirect(`action=${encodeURIComponent(action)}&${new URL(request.url).searchParams}`);
}

/** Confirms or deletes an address: for the form of the page, and for mail programs (RFC 8058). */
export async function POST(request: Request, { params }: Props) {
  const { data: action } = emailAction.safeParse((await params).action);
  if (!action) return new Response("There is no such action.\n", { status: 404 });
  const { searchParams } = new URL(request.url);
  const link = { id: searchParams.get("id") ?? "", token: searchParams.get("token") ?? "" };
  const { alerts } = await getPageApi();
  const change = action === "confirm" ? alerts.confirmAddress : alerts.unsubscribe;
  const isDone = (await resolveOrNull(change(link).then(() => true))) ?? false;
  const isOneClick = (await request.text()) === "List-Unsubscribe=One-Click";
  // A mail program doesn't follow redirects, and an address that is gone gets no mail.
  if (isOneClick) return new Response("Unsubscribed.\n");
  return redirect(`result=${isDone ? action : "invalid"}`);
}

const redirect = (query: string) =>
  new Response(null, { status: 303, headers: { Location: `/email?${query}` } });
