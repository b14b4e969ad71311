/** What is read of the state that anvil writes to its file. */
interface State {
  accounts: Record<string, { nonce: number }>;
  blocks: { transactions: { transaction: { hash: string; nonce: string } }[] }[];
  transactions: { info: { transaction_hash: string; from: string } }[];
}

/**
 * Whether a state file is one that a node could have had. It may be cut off, as its node was killed. And
 * anvil writes accounts and blocks one after the other: when a block is made between the two, its
 * transactions have used up their nonces and stand in no block, which no chain ever shows anybody.
 */
export function isWholeState(text: string): boolean {
  try {
    const { accounts, blocks, transactions } = JSON.parse(text) as State;
    const senders = new Map(
      transactions.map(({ info }) => [info.transaction_hash, info.from.toLowerCase()]),
    );
    const used = new Map<string, number>();
    for (const { transaction } of blocks.flatMap((block) => block.transactions)) {
      const from = senders.get(transaction.hash);
      if (!from) return false;
      used.set(from, Math.max(used.get(from) ?? 0, Number(transaction.nonce) + 1));
    }
    return [...used].every(([address, nonces]) => (accounts[address]?.nonce ?? 0) <= nonces);
  } catch {
    return false;
  }
}
