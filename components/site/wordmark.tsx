/** Renders the logo, four rising bars, with the product name. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true" fill="currentColor">
        <rect x="1" y="13" width="3.5" height="6" rx="0.5" opacity="0.45" />
        <rect x="5.8" y="9.5" width="3.5" height="9.5" rx="0.5" opacity="0.65" />
        <rect x="10.6" y="6" width="3.5" height="13" rx="0.5" opacity="0.85" />
        <rect x="15.4" y="1" width="3.5" height="18" rx="0.5" className="fill-accent" />
      </svg>
      <span className="font-serif text-xl font-semibold tracking-tight">Standing</span>
    </span>
  );
}
