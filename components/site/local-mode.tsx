/** Marks local mode, so that it isn't mistaken for the public service. */
export function LocalBanner({ simulated }: { simulated: boolean }) {
  return (
    <aside
      aria-label="Local mode"
      className="bg-notice px-4 py-1.5 text-center text-sm text-notice-ink"
    >
      Local mode: test USDC{simulated && ", simulated history"}
    </aside>
  );
}
