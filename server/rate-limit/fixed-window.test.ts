import fc from "fast-check";
import { expect, it } from "vitest";
import { MINUTE_MS } from "@/server/lib/time";
import { createFixedWindowLimiter } from "./fixed-window";

const options = { policy: "default", limit: 3, capacity: 10 };

it("allows the limit and refuses the next, per client", () => {
  const limiter = createFixedWindowLimiter(options);
  const remaining = [0, 1, 2, 3, 4].map((at) => limiter.take("a", at).remaining);
  expect(remaining).toEqual([2, 1, 0, -1, -1]);
  expect(limiter.take("b", 5).remaining).toBe(2);
});

it("begins a new window when the old one ends, and reports the reset", () => {
  const limiter = createFixedWindowLimiter(options);
  expect(limiter.take("a", 1_000).resetSeconds).toBe(60);
  expect(limiter.take("a", 60_999).resetSeconds).toBe(0.001);
  expect(limiter.take("a", 61_000)).toMatchObject({ remaining: 2, resetSeconds: 60 });
});

it("counts a held request until it is released, once, in its own window", () => {
  const limiter = createFixedWindowLimiter(options);
  const held = [0, 1, 2, 3].map((at) => limiter.hold("a", at));
  expect(held.map(({ remaining }) => remaining)).toEqual([2, 1, 0, -1]);
  held[0]?.release();
  held[0]?.release();
  held[1]?.release();
  expect(limiter.take("a", 4).remaining).toBe(0);
  expect(limiter.take("a", MINUTE_MS).remaining).toBe(2);
  held[2]?.release();
  expect(limiter.take("a", MINUTE_MS + 1).remaining).toBe(1);
});

it("evicts the oldest client first", () => {
  const limiter = createFixedWindowLimiter(options);
  for (let i = 0; i < 11; i++) limiter.take(`client ${i}`, i);
  expect(limiter.take("client 1", 20).remaining).toBe(1);
  expect(limiter.take("client 0", 20).remaining).toBe(2);
});

it("never allows more than the limit in one window, in any order of clients", () => {
  const calls = fc.array(fc.tuple(fc.nat(3), fc.nat(30_000)), { maxLength: 200 });
  fc.assert(
    fc.property(calls, (steps) => {
      const limiter = createFixedWindowLimiter(options);
      const windows = new Map<number, { endsAt: number; passed: number }>();
      let now = 0;
      for (const [client, wait] of steps) {
        now += wait;
        const state = limiter.take(String(client), now);
        const endsAt = now + state.resetSeconds * 1_000;
        const window = windows.get(client);
        const isSame = window !== undefined && now < window.endsAt;
        const passed = (isSame ? window.passed : 0) + (state.remaining >= 0 ? 1 : 0);
        expect(passed).toBeLessThanOrEqual(options.limit);
        expect(state.remaining >= 0 || passed === options.limit).toBe(true);
        windows.set(client, { endsAt: isSame ? window.endsAt : endsAt, passed });
      }
    }),
  );
});
