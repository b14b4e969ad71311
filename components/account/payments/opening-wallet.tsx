/** Holds the place of the paying wallet until it is known. */
export const OpeningWallet = () => (
  <p role="status" className="min-h-10 text-sm text-muted">
    Opening your wallet…
  </p>
);
