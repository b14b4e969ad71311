import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withAsyncStorage } from "./async-storage";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createStorage = () => {
  const storage = new AsyncLocalStorage<string>();
  return { storage, disable: vi.spyOn(storage, "disable") };
};

test("a storage is disabled a second after its last use, also one that failed", async () => {
  const { storage, disable } = createStorage();
  const read = withAsyncStorage(() => storage.run("page", async () => storage.getStore()));
  const fail = withAsyncStorage(() => storage.run("page", () => Promise.reject(new Error("no"))));
  expect(await read()).toBe("page");
  vi.advanceTimersByTime(900);
  await expect(fail()).rejects.toThrow("no");
  vi.advanceTimersByTime(900);
  expect(disable).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(disable).toHaveBeenCalledOnce();
  expect(await read()).toBe("page");
  vi.advanceTimersByTime(1_000);
  expect(disable).toHaveBeenCalledTimes(2);
});

test("no storage is disabled while another use runs", async () => {
  const [first, second] = [createStorage(), createStorage()];
  let resolve = () => {};
  const end = new Promise<void>((end) => {
    resolve = end;
  });
  const long = withAsyncStorage(() => first.storage.run("long", () => end))();
  await withAsyncStorage(async () => second.storage.run("short", () => {}))();
  vi.advanceTimersByTime(10_000);
  expect(first.disable).not.toHaveBeenCalled();
  expect(second.disable).not.toHaveBeenCalled();
  resolve();
  await long;
  vi.advanceTimersByTime(1_000);
  expect(first.disable).toHaveBeenCalledOnce();
  expect(second.disable).toHaveBeenCalledOnce();
});
