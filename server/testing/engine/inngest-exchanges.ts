import { createHash } from "node:crypto";
import { NonRetriableError, RetryAfterError } from "inngest";
import { expect } from "vitest";
import { defineFunction } from "@/server/lib/background-function";

// Messages between a server and an app. They were not recorded from an Inngest server: they are
// derived from the description of the SDK's protocol and from the SDK's own responses.

export const hash = (step: string) => createHash("sha1").update(step).digest("hex");

/** Actions of the functions, in order. */
export const actions: string[] = [];
const TRIGGER = { event: "asked" } as const;
const act = (action: string) => {
  actions.push(action);
  return action;
};

export function define() {
  return [
    defineFunction({ id: "two", retries: 3, triggers: [TRIGGER] }, async ({ step, event }) => {
      const first = await step.run("first", () => act(`first of ${event.data.n}`));
      return [first, await step.run("second", () => act("second"))];
    }),
    defineFunction({ id: "sleeps", retries: 3, triggers: [TRIGGER] }, async ({ step }) => {
      await step.sleepUntil("nap", new Date("2999-01-01T00:00:00Z"));
      return act("awake");
    }),
    defineFunction({ id: "fails", retries: 3, triggers: [TRIGGER] }, ({ event, attempt }) => {
      act(`attempt ${attempt}`);
      if (event.data.n === 1) throw new Error("once more");
      if (event.data.n === 2) throw new NonRetriableError("never");
      throw new RetryAfterError("later", "45m");
    }),
    defineFunction({ id: "step-fails", retries: 2, triggers: [TRIGGER] }, ({ step }) =>
      step
        .run("broken", () => {
          throw new Error("broken");
        })
        .catch(() => "caught"),
    ),
  ];
}

interface CallOptions {
  fn: string;
  n?: number;
  steps?: Record<string, unknown>;
  ctx?: Record<string, unknown>;
}

/** Builds a call in a server's format. */
export function buildCall({
  fn,
  n = 0,
  steps = {},
  ctx = {},
}: CallOptions): [query: string, body: string] {
  const event = { id: "an-event", name: "asked", data: { n }, ts: 1_763_700_000_000 };
  const stored = Object.fromEntries(
    Object.entries(steps).map(([name, output]) => [hash(name), output]),
  );
  const stack = Object.keys(stored);
  const body = {
    version: -1,
    event,
    events: [event],
    steps: stored,
    use_api: false,
    ctx: {
      run_id: "01JD0000000000000000000000",
      attempt: 0,
      max_attempts: 3,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: Math.max(0, stack.length - 1) },
      ...ctx,
    },
  };
  const query = new URLSearchParams({
    fnId: `standing-${fn}`,
    stepId: "step",
  });
  return [`?${query}`, JSON.stringify(body)];
}

interface Exchange {
  /** Title of the exchange. */
  name: string;
  call: CallOptions;
  status: number;
  /** Whether a retry makes sense, and when; null if the response has no such header. */
  noRetry?: "true" | "false";
  retryAfter?: string;
  /** The relevant part of the response, for `toMatchObject`. */
  answer: unknown;
  actions: string[];
}

const stepRun = (step: string, data: unknown) => [{ op: "StepRun", id: hash(step), data }];

export const EXCHANGES: Exchange[] = [
  {
    name: "the first call runs the first step and returns its result",
    call: { fn: "two", n: 7 },
    status: 206,
    answer: stepRun("first", "first of 7"),
    actions: ["first of 7"],
  },
  {
    name: "the next call receives that result, skips the step and runs the second",
    call: { fn: "two", steps: { first: { data: "of old" } } },
    status: 206,
    answer: stepRun("second", "second"),
    actions: ["second"],
  },
  {
    name: "with all steps stored the function returns its own result",
    call: { fn: "two", steps: { first: { data: "of old" }, second: { data: "too" } } },
    status: 200,
    answer: ["of old", "too"],
    actions: [],
  },
  {
    name: "a sleep is returned with its end",
    call: { fn: "sleeps" },
    status: 206,
    answer: [{ op: "Sleep", id: hash("nap"), name: "2999-01-01T00:00:00.000Z" }],
    actions: [],
  },
  {
    name: "a sleep is over when its stored result is null",
    call: { fn: "sleeps", steps: { nap: null } },
    status: 200,
    answer: "awake",
    actions: ["awake"],
  },
  {
    name: "a failure can be retried",
    call: { fn: "fails", n: 1, ctx: { attempt: 1 } },
    status: 500,
    noRetry: "false",
    answer: { name: "Error", message: "once more" },
    actions: ["attempt 1"],
  },
  {
    name: "a non-retriable failure is marked as final",
    call: { fn: "fails", n: 2 },
    status: 400,
    noRetry: "true",
    answer: { name: "NonRetriableError", message: "never" },
    actions: ["attempt 0"],
  },
  {
    name: "a failure with a retry time states it in seconds",
    call: { fn: "fails", n: 3 },
    status: 500,
    noRetry: "false",
    retryAfter: "2700",
    answer: { message: "later" },
    actions: ["attempt 0"],
  },
  {
    name: "a failed step is returned as StepError while attempts remain",
    call: { fn: "step-fails" },
    status: 206,
    noRetry: "false",
    answer: [{ op: "StepError", id: hash("broken"), error: { message: "broken" } }],
    actions: [],
  },
  {
    name: "a failed step is returned as StepFailed on the last attempt",
    call: { fn: "step-fails", ctx: { attempt: 2 } },
    status: 206,
    answer: [{ op: "StepFailed", id: hash("broken"), error: { message: "broken" } }],
    actions: [],
  },
  {
    name: "a function can catch a stored step failure",
    call: { fn: "step-fails", steps: { broken: { error: { name: "Error", message: "broken" } } } },
    status: 200,
    answer: "caught",
    actions: [],
  },
  {
    name: "an unknown function is a retriable failure, as after a deployment",
    call: { fn: "of-another-version" },
    status: 500,
    answer: { message: expect.stringContaining('"standing-of-another-version" was not found') },
    actions: [],
  },
];
