import { request } from "undici";
import { serveForParent } from "./listen";

// The yardstick of the pages: node:http that sends the same headers and bytes from memory. Fetches
// the paths once from the service at the first argument.
const [service = "", ...paths] = process.argv.slice(2);

/** Headers of one connection, which node:http sets itself. */
const HOP_BY_HOP = ["connection", "date", "keep-alive", "transfer-encoding"];

const pages = new Map(
  await Promise.all(paths.map(async (path) => [path, await load(path)] as const)),
);

async function load(path: string) {
  const { headers, body } = await request(service + path, {
    headers: { "Accept-Encoding": "gzip, br" },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  for (const name of HOP_BY_HOP) delete headers[name];
  return { headers: { ...headers, "content-length": bytes.length }, bytes };
}

serveForParent((req, res) => {
  const page = pages.get(req.url ?? "");
  if (!page) return res.writeHead(404).end();
  res.writeHead(200, page.headers).end(page.bytes);
});
