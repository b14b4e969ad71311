import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { OutcomeFigures } from "./outcome-figures";
import { OutcomeHeadline } from "./outcome-headline";

const SENTENCE = "Sale confirmed by the contractor&#x27;s signature";

function render(changes: object, props: object = {}): string {
  const outcome = { ...OUTCOME_EXAMPLE, ...changes } as PublicOutcome;
  const effects = { backing: "paid", changes: [] } as never;
  const option = { state: "none" } as never;
  return renderToStaticMarkup(
    createElement(OutcomeFigures, {
      outcome,
      dispute: null,
      effects,
      effect: 1,
      option,
      escrowJob: undefined,
      explorerUrl: null,
      ...props,
    }),
  );
}

test("the contractor's x402 receipt is shown with the payment", () => {
  const evidence = { ...OUTCOME_EXAMPLE.evidence, x402Receipt: {} };
  expect(render({ evidence })).toContain(SENTENCE);
  expect(render({})).not.toContain(SENTENCE);
});

test("it is not shown with a payment that a chain reorg removed", () => {
  const evidence = { ...OUTCOME_EXAMPLE.evidence, x402Receipt: {} };
  expect(render({ evidence, paidUsdc: 0 })).not.toContain(SENTENCE);
});

test("the headline of a refunded job says that it is, and the verdict that it had", () => {
  const refund = { status: "recorded" };
  const outcome = { ...OUTCOME_EXAMPLE, refund, finalVerdict: "FAILURE" } as PublicOutcome;
  const html = renderToStaticMarkup(createElement(OutcomeHeadline, { outcome, names: {} }));
  expect(html).toContain("Refunded to ");
  expect(html).toContain("The verdict was failure.");
  expect(render({ refund }, { option: { state: "none", reason: "x" } })).not.toContain("Dispute");
});

test("the dispute shows what it did to the verdict", () => {
  const dispute = {
    disputeId: "d",
    recordedVerdict: "FAILURE",
    recordedAssessed: true,
    assessed: true,
    finalVerdict: "SUCCESS",
    resolvedAt: "2026-11-21T12:00:00.000Z",
  };
  const overturned = render({ verdict: "FAILURE", finalVerdict: "SUCCESS" }, { dispute });
  expect(overturned).toMatch(/Verdict overturned<.*Nov 21, 2026, \d+:\d+ PM UTC, was failure/);
  const upheld = render(
    { verdict: "SUCCESS" },
    { dispute: { ...dispute, recordedVerdict: "SUCCESS" } },
  );
  expect(upheld).toMatch(/Verdict upheld<.*Nov 21, 2026, \d+:\d+ PM UTC</);
});

test("money that an escrow returned is not called unconfirmed", () => {
  const html = render({ paidUsdc: 0 }, { escrowJob: { status: "rejected" } });
  expect(html).toContain("Escrow: returned to the client");
});
