import { expect, test, vi } from "vitest";
import { createLog } from "@/server/lib/process/log";
import type { RenderedPage } from "./render-page";
import { warmUp } from "./warm-up";

const page = (status = 200): RenderedPage => ({ status, headers: {}, html: "" });

/** Returns the options of a warm-up, and what it renders and logs. */
function createTrial(respond = async (_path: string) => page()) {
  const log = createLog({ LOG_LEVEL: "silent" });
  const warn = vi.spyOn(log, "warn");
  const rendered: string[] = [];
  const stopping = new AbortController();
  const render = async (path: string, headers: Record<string, string>) => {
    expect(headers).toEqual({ host: "standing.example" });
    rendered.push(path);
    return respond(path);
  };
  const options = { render, host: "standing.example", log, signal: stopping.signal };
  return { options, rendered, warn, stopping };
}

test("renders the leaderboard and a search for each connection of the pool, one at a time", async () => {
  let open = 0;
  const { options, rendered, warn } = createTrial(async () => {
    expect(++open).toBe(1);
    await Promise.resolve();
    open--;
    return page();
  });
  await warmUp(options);
  const connections = 4;
  const leaderboards = rendered.filter((path) => path === "/leaderboard");
  const searches = rendered.filter((path) => path.startsWith("/search?q="));
  expect(leaderboards.length).toBeGreaterThanOrEqual(connections);
  expect(searches.length).toBeGreaterThanOrEqual(connections);
  expect(warn).not.toHaveBeenCalled();
});

test.each([
  ["is an error page", async () => page(500)],
  ["breaks off", () => Promise.reject(new Error("cut"))],
])("logs a warning and ends if a page %s", async (_name, respond) => {
  const { options, rendered, warn } = createTrial(respond);
  await warmUp(options);
  expect(rendered).toHaveLength(1);
  expect(warn).toHaveBeenCalledOnce();
});

test("ends silently when the service stops", async () => {
  const { options, rendered, warn, stopping } = createTrial(async () => {
    stopping.abort();
    throw new Error("the database is closed");
  });
  await warmUp(options);
  expect(rendered).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
});
