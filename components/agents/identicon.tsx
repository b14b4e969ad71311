interface Props {
  wallet: string;
  className: string;
}

const SIDE = 5;
const MIDDLE = 2;

/**
 * Draws a mirrored pattern in a color, both derived from the address, so that two wallets with the
 * same name look different. The text beside it must name the agent.
 */
export function Identicon({ wallet, className }: Props) {
  const digits = [...wallet.slice(2).toLowerCase()].map((digit) => Number.parseInt(digit, 16));
  const hue = digits.slice(-4).reduce((sum, digit) => sum * 16 + digit, 0) % 360;
  const cells: string[] = [];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column <= MIDDLE; column++) {
      // The last digits are the color; a cell is filled for half of the values of its digit.
      const digit = digits[row * (MIDDLE + 1) + column] ?? 0;
      if (digit % 2 === 1) continue;
      cells.push(`M${column} ${row}h1v1h-1z`);
      if (column < MIDDLE) cells.push(`M${SIDE - 1 - column} ${row}h1v1h-1z`);
    }
  }
  return (
    <svg
      viewBox="-1 -1 7 7"
      className={`shrink-0 rounded-md bg-sunken ${className}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <path d={cells.join("")} fill={`oklch(0.63 0.13 ${hue})`} />
    </svg>
  );
}
