/** Returns the first block at which `holds` is true, if it is at `last` and stays true. */
export async function findFirstBlock(
  holds: (block: bigint) => Promise<boolean>,
  last: bigint,
): Promise<bigint> {
  let [before, after] = [-1n, last];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (await holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}
