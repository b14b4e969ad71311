import type { RequestListener } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { createPdf } from "@/server/testing/fixtures/pdf";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { createCitedPageFetch } from "./fetch-cited-page";

const createFetch = () => createCitedPageFetch({ allowLoopback: true });
const serve =
  (status: number, body: string | Buffer = "", type = "text/html"): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": type }).end(body);
const LINES = Array.from({ length: 30 }, (_, n) => `In year ${n} the oceans were warm.`);
const PARAGRAPH = `<p>${"The oceans are warm. ".repeat(40)}</p>`;

describe("a cited page", () => {
  test("is its visible text", async () => {
    const { url } = await startHttpServer(serve(200, "<p>Warm &amp; wet</p><script>x</script>"));
    const { url: plain } = await startHttpServer(serve(200, "<p>a</p>", "text/plain"));
    expect(await createFetch()(`${plain}/a`)).toEqual({
      kind: "page",
      text: "<p>a</p>",
      isPartial: false,
      status: 200,
      finalUrl: `${plain}/a`,
    });
    expect(await createFetch()(`${url}/a`)).toMatchObject({ kind: "page", text: "Warm & wet" });
  });

  test.each<[string, boolean, string | Buffer, string]>([
    ["complete", false, `${PARAGRAPH}<script>x</script>`, "text/html"],
    ["complete without scripts, however short", false, "<p>Warm.</p>", "text/html"],
    ["partial if scripts show it", true, "<p>Warm.</p><script>x</script>", "text/html"],
    ["partial behind a wall", true, `${PARAGRAPH}<p>Subscribe to continue.</p>`, "text/html"],
    ["partial if it is long", true, "a ".repeat(200_000), "text/plain"],
    ["partial if it is a PDF with hardly any text", true, createPdf("Warm."), "application/pdf"],
    ["complete if it is a PDF with text", false, createPdf(...LINES), "application/pdf"],
  ])("is %s", async (_, isPartial, body, type) => {
    const { url } = await startHttpServer(serve(200, body, type));
    expect(await createFetch()(`${url}/a`)).toMatchObject({ kind: "page", isPartial });
  });

  test.each([404, 410])("is missing if its server answers %d", async (status) => {
    const { url } = await startHttpServer(serve(status));
    expect(await createFetch()(`${url}/a`)).toEqual({
      kind: "missing",
      status,
      finalUrl: `${url}/a`,
    });
  });

  test.each([401, 403, 429, 451, 500, 503])("is unreachable after %d", async (status) => {
    const { url } = await startHttpServer(serve(status));
    expect(await createFetch()(`${url}/a`)).toMatchObject({ kind: "unreachable" });
  });

  test("is unreachable if it moved to another host, where it is missing", async () => {
    const gone = await startHttpServer(serve(404));
    const { url } = await startHttpServer((_, response) =>
      response.writeHead(302, { location: `${gone.url}/b` }).end(),
    );
    expect(await createFetch()(`${url}/a`)).toMatchObject({ kind: "unreachable" });
  });

  test.each(["http://127.0.0.1:1024/", "http://10.0.0.1/", "ftp://who.int/a"])(
    "is unreachable at %s",
    async (url) => expect(await createFetch()(url)).toMatchObject({ kind: "unreachable" }),
  );

  test("on loopback is unreachable unless that is allowed", async () => {
    const { url, seen } = await startHttpServer(serve(404));
    const strict = createCitedPageFetch({ allowLoopback: false });
    expect(await strict(`${url}/a`)).toMatchObject({ kind: "unreachable" });
    expect(seen).toEqual([]);
  });
});

describe("the fetch", () => {
  test("sends nothing about the service's users", async () => {
    const { url, seen } = await startHttpServer(serve(200, "<p>a</p>"));
    await createFetch()(`${url}/a`);
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  test("is shared and cached, except after a failure", async () => {
    let status = 503;
    const { url, seen } = await startHttpServer((request, response) =>
      serve(status, "<p>a</p>")(request, response),
    );
    const fetchPage = createFetch();
    expect(await fetchPage(`${url}/a`)).toMatchObject({ kind: "unreachable" });
    status = 200;
    await Promise.all([fetchPage(`${url}/a`), fetchPage(`${url}/a`)]);
    expect(await fetchPage(`${url}/a`)).toMatchObject({ kind: "page" });
    expect(seen).toHaveLength(2);
  });

  test("reads the start of a page of which only the response counts, unless it has been read", async () => {
    const { url, seen } = await startHttpServer(serve(200, "a ".repeat(2 ** 20), "text/plain"));
    const fetchPage = createFetch();
    const textless = { kind: "page", text: "", isPartial: true, status: 200, finalUrl: `${url}/a` };
    expect(await fetchPage(`${url}/a`)).toMatchObject({ kind: "unreachable" });
    expect(await fetchPage(`${url}/a`, { isTextless: true })).toEqual(textless);
    expect(await fetchPage(`${url}/a`, { isTextless: true })).toEqual(textless);
    expect(seen).toHaveLength(2);
    const { url: short, seen: asked } = await startHttpServer(serve(200, "<p>Warm</p>"));
    expect(await fetchPage(`${short}/a`)).toMatchObject({ text: "Warm" });
    expect(await fetchPage(`${short}/a`, { isTextless: true })).toMatchObject({ text: "" });
    expect(asked).toHaveLength(1);
  });

  test("asks each host for one page at a time", async () => {
    let open = 0;
    let most = 0;
    const { url } = await startHttpServer((request, response) => {
      most = Math.max(most, ++open);
      // Long enough for requests that do not wait for each other to overlap.
      setTimeout(() => {
        open -= 1;
        serve(200, "<p>a</p>")(request, response);
      }, 30);
    });
    const fetchPage = createFetch();
    const pages = await Promise.all(["a", "b", "c"].map((path) => fetchPage(`${url}/${path}`)));
    expect(pages.map(({ kind }) => kind)).toEqual(["page", "page", "page"]);
    expect(most).toBe(1);
  });

  test("closes its connection when the last caller gives up", async () => {
    let isClosed = false;
    const { url, seen } = await startHttpServer((_, response) =>
      response.on("close", () => {
        isClosed = true;
      }),
    );
    const fetchPage = createFetch();
    const callers = [new AbortController(), new AbortController()];
    const pages = callers.map(({ signal }) => fetchPage(`${url}/a`, { signal }));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    for (const caller of callers) caller.abort();
    expect(await Promise.all(pages)).toMatchObject([
      { kind: "unreachable" },
      { kind: "unreachable" },
    ]);
    await vi.waitFor(() => expect(isClosed).toBe(true));
  });

  test("ends when it is cancelled", async () => {
    const { url } = await startHttpServer(() => {});
    const cancel = new AbortController();
    const page = createFetch()(`${url}/a`, cancel);
    cancel.abort();
    expect(await page).toMatchObject({ kind: "unreachable" });
  });
});
