/**
 * Asks for the agent to verify. A plain form, since only a full page load applies the security
 * policy that lets the page reach the chain's node.
 */
export function VerifyForm({ value }: { value: string }) {
  return (
    <form action="/verify" className="flex gap-2">
      <label htmlFor="verify-agent" className="sr-only">
        Agent name or wallet address
      </label>
      <input
        id="verify-agent"
        name="agent"
        type="search"
        required
        defaultValue={value}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        placeholder="Agent name or 0x address"
        className="w-full min-w-0 rounded-md border border-field bg-raised px-3.5 py-2.5 placeholder:text-muted"
      />
      <button
        type="submit"
        className="rounded-md bg-accent px-5 font-medium text-accent-ink hover:opacity-90"
      >
        Verify
      </button>
    </form>
  );
}
