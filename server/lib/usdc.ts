/** Millionths of a USDC in a USDC amount; exact, as `usdcSchema` admits at most six decimals. */
export function toMicro(usdc: number): bigint {
  return BigInt(usdc.toFixed(6).replace(".", ""));
}

const written = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** `1,250.50`: two decimals, and more only where there are more. */
export const formatUsdc = (usdc: number) => written.format(usdc);

/** A USDC amount from millionths; exact up to 2^53 millionths. */
export function fromMicro(micro: bigint): number {
  return Number(micro) / 1_000_000;
}
