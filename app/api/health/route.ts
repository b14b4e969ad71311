import { getRuntime } from "@/server/bootstrap/runtime";

export const dynamic = "force-dynamic";

export async function GET() {
  const health = await (await getRuntime()).health();
  return Response.json(health, {
    status: health.status === "ok" || health.status === "degraded" ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
}
