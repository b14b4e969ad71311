import { PAGES } from "@/components/site/pages";
import { listExamples } from "@/scripts/lib/example-pages";
import type { Seed } from "./seed";

interface ExamplePage {
  path: string;
  isOwnerPage?: true;
}

/** Returns the paths of all pages but the sections of the dashboard, which need a session. */
export function listSignedOutPages({ finch }: Seed): ExamplePage[] {
  const records = {
    agent: `/agents/${finch.contractor.wallet}`,
    outcome: `/outcomes/${finch.outcomeIds[0]}`,
    dispute: `/disputes/${finch.disputeId}`,
  };
  return PAGES.filter(({ route }) => !route.startsWith("/dashboard/")).flatMap(
    ({ route, isOwnerPage }) => listExamples(route, records).map((path) => ({ path, isOwnerPage })),
  );
}
