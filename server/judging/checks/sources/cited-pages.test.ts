import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CheckInput, CitedPage, ObserveOptions } from "@/server/judging/checks/check";
import { inWorker } from "@/server/lib/process/worker-pool";
import { citedPagesExist, quotationsOnPages } from "./cited-pages";

const echo = inWorker<[string], string>("server/testing/process/worker-tasks.ts", "echo");

const PAGE = "https://who.int/report";
const QUOTE = "the oceans absorbed more heat than in any earlier year";
const toInput = (text: string, task = "Write a report."): CheckInput => ({
  task,
  category: "research",
  text,
});
const page = (text: string, isPartial = false): CitedPage => ({ kind: "page", text, isPartial });
const MISSING: CitedPage = { kind: "missing", status: 404 };
const UNREACHABLE: CitedPage = { kind: "unreachable", reason: "It was down." };

/** Runs a check over these pages; every other page is unreachable. */
async function run(
  check: typeof citedPagesExist,
  input: CheckInput,
  pages: Record<string, CitedPage>,
) {
  const fetched: string[] = [];
  const io = {
    fetchCitedPage: async (url: string) => {
      fetched.push(url);
      return pages[url] ?? UNREACHABLE;
    },
    runCode: async () => ({ kind: "unavailable" as const, reason: "" }),
  };
  const observation = await check.observe(input, {}, io);
  return { fetched, result: observation && check.run(input, {}, observation) };
}

describe("cited pages", () => {
  const check = (text: string, pages: Record<string, CitedPage>) =>
    run(citedPagesExist, toInput(text), pages);

  test("pass if those that can be read exist", async () => {
    const { result } = await check(`See ${PAGE} and https://who.int/b.`, { [PAGE]: page("x") });
    expect(result).toEqual({ outcome: "pass", observed: "1 found, 1 not reachable" });
  });

  test("fail if one is missing, which only the detail names", async () => {
    const text = `See ${PAGE} and https://who.int/b.`;
    const { result } = await check(text, { [PAGE]: page("x"), "https://who.int/b": MISSING });
    expect(result).toEqual({
      outcome: "fail",
      observed: "1 found, 1 missing",
      detail: "Missing: https://who.int/b (404)",
      passages: [{ from: text.indexOf("https://who.int/b"), to: text.length - 1 }],
    });
  });

  test("are not judged if none can be reached", async () => {
    const { result } = await check(`See ${PAGE}.`, {});
    expect(result).toMatchObject({ outcome: "not-applicable" });
  });

  test("are fetched once each, and at most ten; the others are not said to exist", async () => {
    const urls = Array.from({ length: 14 }, (_, at) => `https://who.int/${at}`);
    const pages = Object.fromEntries(urls.map((url) => [url, page("x")]));
    const { fetched, result } = await check(`${urls.join(" ")} ${urls.join(" ")}`, pages);
    expect(fetched).toEqual(urls.slice(0, 10));
    expect(result).toEqual({ outcome: "pass", observed: "10 found, 4 not requested" });
  });

  test("count towards the ten pages after those that are quoted", async () => {
    const urls = Array.from({ length: 12 }, (_, at) => `https://who.int/${at}`);
    const text = `${urls.join(" ")}\n\nIt says “${QUOTE}” (${PAGE}).`;
    expect((await check(text, {})).fetched).toEqual([PAGE, ...urls.slice(0, 9)]);
    expect((await run(quotationsOnPages, toInput(text), {})).fetched).toEqual([PAGE]);
  });

  test("of many deliverables at once are not all fetched, so that slow ones block no others", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let fetching = 0;
    const io = {
      fetchCitedPage: (_url: string, { signal }: ObserveOptions = {}) => {
        fetching += 1;
        return new Promise<CitedPage>((resolve) =>
          signal?.addEventListener("abort", () => resolve(UNREACHABLE)),
        );
      },
      runCode: async () => ({ kind: "unavailable" as const, reason: "" }),
    };
    const stop = new AbortController();
    const input = toInput(`See ${PAGE}.`);
    const observed = Array.from({ length: 9 }, () => citedPagesExist.observe(input, {}, io, stop));
    await vi.waitFor(() => expect(fetching).toBe(6));
    await vi.advanceTimersByTimeAsync(5_000);
    const late = await Promise.race(observed);
    expect(late && citedPagesExist.run(input, {}, late)).toMatchObject({
      outcome: "not-applicable",
    });
    expect(fetching).toBe(6);
    stop.abort();
    await Promise.all(observed);
  });

  test("of many deliverables from one address are fetched after those of another", async () => {
    const fetched: string[] = [];
    const finishes: (() => void)[] = [];
    const io = {
      fetchCitedPage: (url: string) => {
        fetched.push(url);
        return new Promise<CitedPage>((resolve) => finishes.push(() => resolve(MISSING)));
      },
      runCode: async () => ({ kind: "unavailable" as const, reason: "" }),
    };
    const observe = (url: string, client: string) =>
      citedPagesExist.observe(toInput(`See ${url}.`), {}, io, { queueKey: [client, "a"] });
    const flood = Array.from({ length: 10 }, () => observe(PAGE, "flood"));
    await echo.for(["flood", "a"])("");
    await vi.waitFor(() => expect(fetched).toHaveLength(6));
    const innocent = observe("https://who.int/other", "innocent");
    // The thread selects its page before this call.
    await echo.for(["innocent", "a"])("");
    finishes.shift()?.();
    await vi.waitFor(() => expect(fetched).toHaveLength(7));
    expect(fetched[6]).toBe("https://who.int/other");
    await vi.waitFor(() => {
      for (const finish of finishes.splice(0)) finish();
      expect(fetched).toHaveLength(11);
    });
    for (const finish of finishes) finish();
    await Promise.all([...flood, innocent]);
  });

  test("are not needed", async () => {
    expect(await check("It rose.", {})).toEqual({ fetched: [], result: null });
  });
});

describe("quotations", () => {
  const check = (text: string, found: CitedPage, task?: string) =>
    run(quotationsOnPages, toInput(text, task), { [PAGE]: found }).then(({ result }) => result);
  const TEXT = `It says “${QUOTE}” (${PAGE}).`;

  test("pass if the page has them", async () => {
    const found = page(`In 2023 The Oceans absorbed\nmore heat than in any earlier year.`);
    expect(await check(TEXT, found)).toEqual({
      outcome: "pass",
      observed: "1 found",
    });
  });

  test("fail if the page lacks one, which only the detail quotes", async () => {
    const result = await check(TEXT, page("The oceans absorbed less heat."));
    expect(result).toMatchObject({ outcome: "fail", observed: "1 not found" });
    expect(result?.detail).toBe(`Not on ${PAGE}: “${QUOTE}”`);
  });

  test("that could not be compared are counted apart", async () => {
    const text = `${TEXT} It says “the sea was colder than in any other year” (https://who.int/b).`;
    expect(await check(text, page(QUOTE))).toEqual({
      outcome: "pass",
      observed: "1 found, 1 not compared",
    });
  });

  test.each<[string, CitedPage]>([
    ["the page may have more text", page("Please enable JavaScript.", true)],
    ["the page is missing", MISSING],
    ["the page cannot be reached", UNREACHABLE],
  ])("are not judged if %s", async (_, found) => {
    expect(await check(TEXT, found)).toMatchObject({ outcome: "not-applicable" });
  });

  test.each([
    [
      "fail if hardly any of its words are there",
      "Sales grew by three percent in the north.",
      "fail",
    ],
    [
      "are not judged if its lines may be out of order",
      "in any earlier year the oceans absorbed more heat than",
      "not-applicable",
    ],
  ])("on a PDF %s", async (_, text, outcome) => {
    const found: CitedPage = { kind: "page", text, isPartial: false, isPdf: true };
    expect(await check(TEXT, found)).toMatchObject({ outcome });
  });

  test.each([
    `It says „${QUOTE}“ (${PAGE}).`,
    `It says «${QUOTE}» (${PAGE}).`,
    `It says « ${QUOTE} » (${PAGE}).`,
    `It says ‹${QUOTE}› (${PAGE}).`,
    `It says "${QUOTE}" (${PAGE}).`,
    `「海は過去のどの年よりも多くの熱を吸収した」（${PAGE}）`,
  ])("are read in the marks of %s", async (text) => {
    const lacks = page("The oceans absorbed less heat. 海は冷たい。");
    expect(await check(text, lacks)).toMatchObject({ outcome: "fail" });
  });

  test("pass on a part of a page", async () => {
    expect(await check(TEXT, page(QUOTE, true))).toMatchObject({ outcome: "pass" });
  });

  test("are not judged if the task gives their words", async () => {
    const task = `Explain “${QUOTE}”.`;
    expect(await check(TEXT, page("Other."), task)).toMatchObject({ outcome: "not-applicable" });
  });

  test("are not needed", async () => expect(await check(`See ${PAGE}.`, page("x"))).toBeNull());
});
