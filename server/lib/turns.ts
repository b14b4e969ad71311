const queues = new Map<string, Promise<void>>();

/**
 * Waits until everybody before has given back the turn for `key`, then takes it; the caller gives
 * it back with the function it gets. First come, first served, within this process.
 */
export async function takeTurn(key: string): Promise<() => void> {
  const before = queues.get(key);
  let giveBack = () => {};
  const mine = new Promise<void>((resolve) => {
    giveBack = () => {
      if (queues.get(key) === mine) queues.delete(key);
      resolve();
    };
  });
  queues.set(key, mine);
  await before;
  return giveBack;
}
