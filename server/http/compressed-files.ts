import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { selectCoding } from "@/server/lib/content-coding";

/** Responds to a request for a page or one of its files. */
export type ServePage = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};

/**
 * Serves the scripts and style sheets that the build stored compressed in `folder`; passes every
 * other request to `pages`. Next would compress them only lightly, and on every request. Their
 * names change with their content, so they may be cached forever.
 */
export async function serveCompressedFirst(pages: ServePage, folder: string): Promise<ServePage> {
  const files = await readCompressedFiles(folder);
  return async (req, res) => {
    const path = (req.url ?? "").split("?", 1)[0] ?? "";
    const body = files.get(path);
    const isRead = req.method === "GET" || req.method === "HEAD";
    if (!body || !isRead || selectCoding(req.headers["accept-encoding"]?.toString()) !== "br") {
      return pages(req, res);
    }
    res.writeHead(200, {
      "Content-Type": TYPES[extname(path)],
      "Content-Encoding": "br",
      "Content-Length": body.length,
      Vary: "Accept-Encoding",
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
    });
    res.end(req.method === "HEAD" ? undefined : body);
  };
}

/** Returns the compressed files in `folder` by their public path; empty if there are none. */
async function readCompressedFiles(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = new Map<string, Buffer>();
  for (const name of names.filter((one) => one.endsWith(".br"))) {
    const path = join(folder, name.slice(0, -".br".length));
    if (!(extname(path) in TYPES)) continue;
    const url = `/_next/static/${relative(folder, path).split(sep).join("/")}`;
    files.set(url, await readFile(`${path}.br`));
  }
  return files;
}
