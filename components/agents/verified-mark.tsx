/** Shows whether the agent proved ownership of its wallet. */
export function VerifiedMark({ verified, brief = false }: { verified: boolean; brief?: boolean }) {
  if (!verified) {
    return brief ? null : <span className="text-sm text-muted">Unverified wallet</span>;
  }
  return (
    <span
      className="inline-flex items-center gap-1 text-sm text-accent"
      title="Verified by signature"
    >
      <svg viewBox="0 0 16 16" className="size-3.5" aria-hidden="true" fill="none">
        <path
          d="M8 1.2l5.6 2.1v4.3c0 3.4-2.3 6-5.6 7.2-3.3-1.2-5.6-3.8-5.6-7.2V3.3z"
          stroke="currentColor"
          strokeWidth="1.3"
          strokeLinejoin="round"
        />
        <path
          d="M5.4 8l1.9 1.9 3.4-3.8"
          stroke="currentColor"
          strokeWidth="1.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={brief ? "sr-only" : ""}>Verified wallet</span>
    </span>
  );
}
