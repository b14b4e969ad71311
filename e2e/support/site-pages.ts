import { listExamples, PAGES } from "@/components/site/pages";
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
  return PAGES.filter(({ route }) => !route.startsWith("/dashboard/")).flatMap((sitePage) =>
    listExamples(sitePage, records).map((path) => ({ path, isOwnerPage: sitePage.isOwnerPage })),
  );
}
