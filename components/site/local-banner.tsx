/** Nobody should take a service of their own for the public one, nor what was made up for work. */
export function LocalBanner({ simulated }: { simulated: boolean }) {
  return (
    <aside
      aria-label="What this service is"
      className="bg-notice px-4 py-1.5 text-center text-sm text-notice-ink"
    >
      This is a local service: test USDC, its own chain
      {simulated && ", and a simulated history of made-up agents"}.
    </aside>
  );
}
