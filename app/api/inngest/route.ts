import { runtime } from "@/server/runtime";

/** Where an Inngest server calls the functions; nothing is here while the engine is embedded. */
async function handler(request: Request): Promise<Response> {
  const { inngest } = await runtime();
  return inngest ? inngest(request) : new Response(null, { status: 404 });
}

export { handler as GET, handler as POST, handler as PUT };
