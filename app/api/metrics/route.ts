import { runtime } from "@/server/runtime";

export const dynamic = "force-dynamic";

/** For hosts that only run Next; the process answers this path itself. */
export async function GET(request: Request) {
  const { metrics } = await runtime();
  const { body, ...init } = await metrics(request.headers.get("authorization") ?? undefined);
  return new Response(body, init);
}
