import { readFile } from "node:fs/promises";
import { respondCached } from "@/server/pages/respond-cached";

/** Serves the TypeScript client as an npm package, which the build packs. */
export async function GET(request: Request): Promise<Response> {
  const body = await readFile("dist/sdk.tgz").catch(() => null);
  if (!body) return new Response("npm run build packs the client.\n", { status: 404 });
  return respondCached(request, {
    body,
    contentType: "application/gzip",
    maxAgeSeconds: 300,
    headers: { "Access-Control-Allow-Origin": "*" },
  });
}
