const PAYMENTS = { upfront: "upfront", escrow: "in escrow", "on-delivery": "on delivery" };

interface SummarizedTerms {
  valueMicro: string;
  payment: keyof typeof PAYMENTS;
  startBy: string;
  deliverBy: string;
  criteria: readonly unknown[];
  requirements: readonly { check: string }[];
}

/**
 * Returns the terms in a few words, which wallets show and sign. Without `task` and `title`, which are
 * words of one party. The service runs the same code.
 */
export function summarize(terms: SummarizedTerms): string {
  const { valueMicro, payment, startBy, deliverBy, criteria, requirements } = terms;
  const digits = valueMicro.padStart(7, "0");
  const value = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
  const checks = requirements.map(({ check }) => check).join(", ");
  const criterion = criteria.length === 1 ? "criterion" : "criteria";
  const [start, end] = [startBy, deliverBy].map((time) => `${time.slice(0, 19)}Z`);
  return `${value} USDC ${PAYMENTS[payment]}. Start by ${start}. Deliver by ${end}. ${criteria.length} ${criterion}. Checks: ${checks}.`;
}
