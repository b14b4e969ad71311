import Link from "next/link";
import { StepIcon } from "@/components/ui/step";

interface Props {
  hasOutcomes: boolean;
  hasWebhooks: boolean;
  hasLinks: boolean;
}

/** Lists the first steps of a new agent; nothing once all are done. */
export function SetupList({ hasOutcomes, hasWebhooks, hasLinks }: Props) {
  const steps = [
    ["Verify your wallet", true, "/dashboard"],
    ["Submit your first outcome", hasOutcomes, "/dashboard/outcomes"],
    ["Add links to your profile", hasLinks, "/dashboard/profile"],
    ["Receive events by webhook", hasWebhooks, "/dashboard/webhooks"],
  ] as const;
  const current = steps.findIndex(([, isDone]) => !isDone);
  if (current < 0) return null;
  return (
    <section aria-labelledby="setup">
      <h2 id="setup" className="text-xl font-semibold">
        {hasOutcomes ? "Next steps" : "Get started"}
      </h2>
      <ul className="mt-2 grid">
        {steps.map(([label, isDone, href], index) => (
          <li key={label} className="flex min-h-9 items-center gap-2.5 text-sm">
            <StepIcon
              state={isDone ? "done" : index === current ? "current" : "pending"}
              className="shrink-0 text-muted"
            />
            {isDone ? (
              <span className="text-muted">
                {label}
                <span className="sr-only"> (done)</span>
              </span>
            ) : (
              <Link href={href} prefetch={false} className="py-1 underline underline-offset-2">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
