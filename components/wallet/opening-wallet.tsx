/** Holds the place of a wallet until it is known. `size` are the classes for text size and height. */
export function OpeningWallet({ size = "min-h-10 text-sm" }: { size?: string }) {
  return (
    <p role="status" className={`text-muted ${size}`}>
      Opening your wallet…
    </p>
  );
}
