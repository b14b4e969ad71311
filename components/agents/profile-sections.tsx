import { formatAmount } from "@/components/ui/format";

/** Links to the sections of a profile. */
export function ProfileSections({ outcomes, clients }: { outcomes: number; clients: number }) {
  const sections = [
    ["#outcomes", "Outcomes", formatAmount(outcomes)],
    ["#clients", "Clients and payees", formatAmount(clients)],
    ["#score", "What the score is made of", null],
    ["#verify", "Verify and embed", null],
  ] as const;
  return (
    <nav
      aria-label="Sections"
      className="mt-8 mb-6 flex gap-x-6 overflow-x-auto border-b border-line text-sm"
    >
      {sections.map(([href, label, count]) => (
        <a
          key={href}
          href={href}
          className="inline-flex min-h-10 shrink-0 items-center gap-1.5 border-b-2 border-transparent hover:border-ink"
        >
          {label}
          {count !== null && (
            <span className="rounded-full bg-sunken px-1.5 text-xs text-muted">{count}</span>
          )}
        </a>
      ))}
    </nav>
  );
}
