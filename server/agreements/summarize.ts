import type { Terms } from "./schema";

const PAYMENTS: Record<Terms["payment"], string> = {
  upfront: "upfront",
  escrow: "in escrow",
  "on-delivery": "on delivery",
};

/**
 * Returns the terms in a few words, which wallets show and sign. Without task and title, which are
 * words of one party. The SDK has the same function: clients compute it themselves.
 */
export function summarize(
  terms: Pick<
    Terms,
    "valueMicro" | "payment" | "startBy" | "deliverBy" | "criteria" | "requirements"
  >,
): string {
  const { valueMicro, payment, startBy, deliverBy, criteria, requirements } = terms;
  const digits = valueMicro.padStart(7, "0");
  const value = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
  const checks = requirements.map(({ check }) => check).join(", ");
  return [
    `${value} USDC ${PAYMENTS[payment]}.`,
    `Start by ${startBy.slice(0, 19)}Z.`,
    `Deliver by ${deliverBy.slice(0, 19)}Z.`,
    `${criteria.length} ${criteria.length === 1 ? "criterion" : "criteria"}.`,
    `Checks: ${checks}.`,
  ].join(" ");
}
