import { expect, test } from "vitest";
import { createPace, isEventLoopBusy } from "./load";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("the event loop is busy while it has no idle time", async () => {
  await pause(600);
  isEventLoopBusy();
  await pause(600);
  expect(isEventLoopBusy()).toBe(false);
  const until = performance.now() + 1_000;
  while (performance.now() < until);
  expect(isEventLoopBusy()).toBe(true);
});

test("calls are spread under load only", async () => {
  let isLoaded = false;
  const pace = createPace(200, () => isLoaded);
  await pace();
  await pace();
  isLoaded = true;
  let isOver = false;
  const waiting = pace().then(() => {
    isOver = true;
  });
  await pause(100);
  expect(isOver).toBe(false);
  await waiting;
});
