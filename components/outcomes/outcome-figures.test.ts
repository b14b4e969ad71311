import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OUTCOME_EXAMPLE } from "@/server/outcomes/outcome-example";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { OutcomeFigures } from "./outcome-figures";

const SENTENCE = "Sale confirmed by the contractor&#x27;s signature";

function render(changes: object): string {
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
      explorerUrl: null,
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
