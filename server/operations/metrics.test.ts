import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { citedPagesExist } from "@/server/judging/checks/sources/cited-pages";
import { parsePrometheus } from "@/server/testing/http/prometheus";
import { startTestService, type TestService } from "@/server/testing/service";

const TOKEN = "a-token-of-the-test";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => service.close());

async function scrape(authorization?: string): Promise<Response> {
  const { body, ...init } = await service.runtime.metrics(authorization);
  return new Response(body, init);
}
const samples = async () => parsePrometheus(await (await scrape(`Bearer ${TOKEN}`)).text());

test("nothing is returned without the token", async () => {
  for (const wrong of [undefined, "", TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, "Bearer "]) {
    const response = await scrape(wrong);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await response.text()).toBe("Unauthorized.");
  }
});

test("the endpoint does not exist without a configured token", async () => {
  const other = await startTestService({ sharedWith: service });
  const response = await other.runtime.metrics("Bearer undefined");
  expect(response).toMatchObject({ status: 404, body: "Not found." });
  await other.close();
});

test("work, engine, accounts and chain are exported in the Prometheus format", async () => {
  const response = await scrape(`Bearer ${TOKEN}`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const found = parsePrometheus(await response.text());
  expect(found.get('standing_work_waiting{kind="payouts"}')).toBe(0);
  expect(found.get("standing_chain_up")).toBe(1);
  expect(found.get("standing_recorder_allowed")).toBe(1);
  expect(found.get('standing_account_ether{account="stake"}')).toBeGreaterThan(1);
  expect(found.get("standing_chain_confirmations")).toBe(1);
  expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
});

test("requests are counted by operation and status", async () => {
  const id = randomUUID();
  for (const path of [
    `/outcome/${id}`,
    `/outcome/${randomUUID()}`,
    `/${id}/../nowhere`,
    "/x?y=z",
  ]) {
    await service.call("GET", path);
  }
  const found = await samples();
  const count = (operation: string, status: number) =>
    found.get(
      `standing_http_request_duration_seconds_count{operation="${operation}",status="${status}"}`,
    );
  expect(count("GET /outcome/{outcomeId}", 404)).toBe(2);
  expect(count("none", 404)).toBe(2);
  expect([...found.keys()].join("\n")).not.toContain(id);
});

test("the event loop delay is exported in seconds", async () => {
  const found = await samples();
  const [p99 = -1, max = -1] = ["0.99", "1"].map((quantile) =>
    found.get(`standing_event_loop_delay_seconds{quantile="${quantile}"}`),
  );
  expect(p99).toBeGreaterThanOrEqual(0);
  expect(max).toBeGreaterThanOrEqual(p99);
});

test("a judge's calls and the checks that throw are counted", async () => {
  vi.spyOn(citedPagesExist, "observe").mockRejectedValue(new Error("a fault of the check"));
  const agent = await service.agent();
  const submitted = await service.call("POST", "/outcome", {
    key: agent.apiKey,
    body: {
      contractorAgentAddress: agent.wallet,
      requesterAgentAddress: `0x${"1".repeat(40)}`,
      taskDescription: "Name three rivers of Europe.",
      taskCategory: "research",
      deliverableContent: "The Rhine, the Loire and the Vistula.",
      valueUsdc: 1,
    },
  });
  await service.waitForResolved(submitted.body.outcomeId);
  const count = 'standing_judge_duration_seconds_count{task="outcome",result="answered"}';
  const found = await samples();
  expect(found.get(count)).toBeGreaterThanOrEqual(1);
  expect(found.get('standing_check_faults_total{check="cited-pages-exist"}')).toBe(1);
});

test("an unreachable chain is reported as down, without its values", async () => {
  const other = await startTestService({ sharedWith: service, env: { METRICS_TOKEN: TOKEN } });
  await service.chain.stop();
  const { body } = await other.runtime.metrics(`Bearer ${TOKEN}`);
  const found = parsePrometheus(body);
  expect(found.get("standing_chain_up")).toBe(0);
  expect(found.has("standing_stakes_held_usdc")).toBe(false);
  expect(found.get("standing_stakes_owed_usdc")).toBe(0);
  await other.close();
});
