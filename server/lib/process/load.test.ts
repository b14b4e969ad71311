import { expect, test } from "vitest";
import { createPace, isEventLoopBusy } from "./load";

const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 120));

test("the event loop is busy while it has no idle time", async () => {
  await nextTimer();
  isEventLoopBusy();
  await nextTimer();
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
  await nextTimer();
  expect(isOver).toBe(false);
  await waiting;
});
