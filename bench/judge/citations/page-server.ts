import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LabelledCase } from "@/bench/judge/labelled-set";
import pages from "./pages.json";

/** In the texts of a set, the address of the page server; its port is filled in for each run. */
const PLACEHOLDER = "http://localhost:{port}/";

/** Prompts contain the port, so recorded responses can be replayed only at the same port. */
const USUAL_PORT = 47_810;

/**
 * Serves the pages that the cases of a set cite, on this machine, at the usual port if it is free.
 * All other paths return 404.
 */
export async function startPageServer() {
  const byPath = new Map(Object.entries(pages));
  const server = createServer(({ url = "/" }, response) => {
    const page = byPath.get(url);
    response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(page ? renderPage(page) : "<!doctype html><title>Page not found</title>");
  });
  const listen = (port: number) => once(server.listen(port, "localhost"), "listening");
  await listen(USUAL_PORT).catch(() => listen(0));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const citesServedPage = ({ task, deliverable }: LabelledCase): boolean =>
  `${task}\n${deliverable}`.includes(PLACEHOLDER);

/** Returns the case with the addresses of pages on the given port. */
export function fillPort(one: LabelledCase, port: number): LabelledCase {
  const fill = (text: string) => text.replaceAll(PLACEHOLDER, `http://localhost:${port}/`);
  return { ...one, task: fill(one.task), deliverable: fill(one.deliverable) };
}

function renderPage({ title, paragraphs }: { title: string; paragraphs: string[] }): string {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  return `<!doctype html>
<html lang="en">
<head><title>${title}</title></head>
<body>
<nav><a href="/">Home</a></nav>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
