import { runtime } from "@/server/bootstrap/runtime";

const handler = async (request: Request) => (await runtime()).trpc.respond(request);

export { handler as GET, handler as POST };
