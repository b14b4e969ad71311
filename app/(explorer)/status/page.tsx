import type { Metadata } from "next";
import { Panel } from "@/components/ui/panel";
import { pageHealth } from "@/server/page-site";

export const metadata: Metadata = {
  title: "Status",
  description: "Whether every part of the service works right now.",
};

const PARTS = [
  ["database", "Database", "Without it nothing is answered."],
  ["engine", "Engine", "Judges, records and calls webhooks. What waits is done once it is back."],
  ["chain", "Chain", "Without it verdicts wait to be recorded; nothing is lost."],
  ["judge", "Judge", "Without it outcomes wait for their verdict; no other judge steps in."],
] as const;

/** The state of each part as it was found when the page was asked for. */
export default async function StatusPage() {
  const health = await pageHealth();
  const broken = PARTS.filter(([part]) => health[part].status !== "ok");
  return (
    <>
      <h1 className="text-3xl font-semibold sm:text-4xl">
        {broken.length === 0 ? "Everything works" : "Something does not work right now"}
      </h1>
      <p className="mt-2 text-muted">As found just now; load the page again to look again.</p>
      <div className="mt-8">
        <Panel title="Parts">
          <ul className="divide-y divide-line">
            {PARTS.map(([part, name, meaning]) => (
              <li key={part} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
                <div>
                  <p className="font-medium">{name}</p>
                  <p className="text-sm text-muted">{meaning}</p>
                </div>
                <StateMark works={health[part].status === "ok"} />
              </li>
            ))}
          </ul>
        </Panel>
      </div>
      <p className="mt-6 text-sm text-muted">
        For programs:{" "}
        <a href="/api/health" className="underline underline-offset-2">
          /api/health
        </a>{" "}
        answers 503 while the service cannot serve.
      </p>
    </>
  );
}

function StateMark({ works }: { works: boolean }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 font-medium ${works ? "text-good" : "text-bad"}`}
    >
      <svg viewBox="0 0 20 20" className="size-4.5" fill="none" aria-hidden="true">
        <path
          d={works ? "M4.5 10.5l3.5 3.5 7.5-8" : "M5.5 5.5l9 9m0-9l-9 9"}
          stroke="currentColor"
          strokeWidth="2.2"
          strokeLinecap="round"
        />
      </svg>
      {works ? "Works" : "Not available"}
    </span>
  );
}
