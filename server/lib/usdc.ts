/** Decimals of USDC: the chain counts it in millionths. */
export const USDC_DECIMALS = 6;
const MICRO = 10 ** USDC_DECIMALS;

/** Minimum stake of each party of a dispute, in USDC and in millionths. */
export const STAKE_USDC = "0.50";
export const STAKE_MICRO = toMicro(Number(STAKE_USDC));

/** Converts USDC to millionths; exact, as `usdcSchema` allows at most six decimals. */
export function toMicro(usdc: number): bigint {
  return BigInt(usdc.toFixed(USDC_DECIMALS).replace(".", ""));
}

const usdcFormat = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: USDC_DECIMALS,
});

/** Formats an amount as `1,250.50`: with two decimals, or more if it has more. */
export const formatUsdc = (usdc: number) => usdcFormat.format(usdc);

/** Converts millionths to USDC; exact up to 2^53 millionths. */
export function fromMicro(micro: bigint | number): number {
  return Number(micro) / MICRO;
}

/** Formats millionths exactly, unlike a number: `0.50`, `9007199254.740991`. */
export function formatMicro(micro: bigint): string {
  const digits = String(micro).padStart(USDC_DECIMALS + 1, "0");
  const decimals = digits.slice(-USDC_DECIMALS).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -USDC_DECIMALS)}.${decimals}`;
}
