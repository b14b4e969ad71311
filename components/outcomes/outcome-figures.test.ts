import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { OutcomeFigures } from "./outcome-figures";

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

test("a refunded job is called refunded, with the verdict that it had", () => {
  const html = render({ refund: { status: "recorded" }, finalVerdict: "FAILURE" });
  expect(html).toContain("Refunded");
  expect(html).toContain("It was failure");
});

test("the verdict is shown once, with what the dispute did to it", () => {
  const dispute = {
    disputeId: "d",
    recordedVerdict: "FAILURE",
    finalVerdict: "SUCCESS",
    resolvedAt: "2026-11-21T12:00:00.000Z",
  };
  const overturned = render({ verdict: "FAILURE", finalVerdict: "SUCCESS" }, { dispute });
  expect(overturned.match(/Success/g)).toHaveLength(1);
  expect(overturned).toContain("It was failure. ");
  expect(overturned).toContain("Overturned Nov 21, 2026");
  const upheld = render(
    { verdict: "SUCCESS" },
    { dispute: { ...dispute, recordedVerdict: "SUCCESS" } },
  );
  expect(upheld).toContain("Upheld Nov 21, 2026");
  expect(upheld).not.toContain("It was");
});

test("money that an escrow returned is not called unconfirmed", () => {
  const html = render({ paidUsdc: 0 }, { escrowJob: { status: "rejected" } });
  expect(html).toContain("Escrow: returned to the client");
});
