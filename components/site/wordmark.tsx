/** Renders the logo, four rising bars, with the product name. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true" fill="currentColor">
        <path d="M1 13h3.5v6H1z" opacity="0.45" />
        <path d="M5.8 9.5h3.5V19H5.8z" opacity="0.65" />
        <path d="M10.6 6h3.5v13h-3.5z" opacity="0.85" />
        <path d="M15.4 1h3.5v18h-3.5z" className="fill-accent" />
      </svg>
      <span className="font-serif text-xl font-semibold tracking-tight">Standing</span>
    </span>
  );
}
