import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { OutcomeHeadline } from "./outcome-headline";

const SENTENCE = "sale confirmed by the contractor&#x27;s signature";

function render(changes: object, escrowJobs: object[] = []): string {
  return renderToStaticMarkup(
    createElement(OutcomeHeadline, {
      outcome: { ...OUTCOME_EXAMPLE, ...changes } as PublicOutcome,
      names: {},
      effects: { backing: "claimed", deliveryPaymentTxHash: null },
      escrowJobs: escrowJobs as never,
      explorerUrl: null,
      isSimulated: false,
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

test("a refunded job is called so, with the verdict that it had", () => {
  const html = render({ refund: { status: "recorded" }, finalVerdict: "FAILURE" });
  expect(html).toContain("Refunded");
  expect(html).toContain("The verdict was failure.");
});

test("only a model's verdict has a confidence", () => {
  const judged = (kind: string) => render({ judge: { kind, id: "a" }, llmConfidence: 0.92 });
  expect(judged("llm")).toContain("judged with 92% confidence");
  expect(judged("heuristic")).not.toContain("confidence");
});

test("money that an escrow returned is not called unconfirmed", () => {
  const job = { status: "rejected", budgetUsdc: 20, escrow: "0x00", expiresAt: "2026-11-21" };
  const unpaid = { paidUsdc: 0, paymentTxHash: undefined };
  expect(render(unpaid)).toContain("Unconfirmed");
  const html = render(unpaid, [job]);
  expect(html).toContain("Escrow: 20.00 USDC, returned to the client.");
  expect(html).not.toContain("Unconfirmed");
});
