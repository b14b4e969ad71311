/** Marks a record of the simulated history. */
export function SimulatedMark() {
  return (
    <span
      title="Part of the sample history of local mode. No real work, judge or money was involved."
      className="rounded bg-notice px-2 py-0.5 text-sm text-notice-ink"
    >
      Simulated: no real work, judge or money
    </span>
  );
}
