import type { Metadata } from "next";
import { CATEGORY_CHOICE, createChoice } from "@/components/network/choices";
import { ListPage } from "@/components/network/list-page";
import { LiveDisputes } from "@/components/network/live-list";
import { EmptyState } from "@/components/ui/notice";
import { networkDisputesInput } from "@/server/explorer/network/schema";
import { getPageApi } from "@/server/pages/page-api";
import { readListQuery } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Disputes",
  description: "Disputed verdicts and how the reviews ended, newest first.",
};

const PATH = "/disputes";
const ROWS = 25;
/** The query of the URL. */
const INPUT = networkDisputesInput.omit({ size: true });

const CHOICES = [
  createChoice("status", "Status", "Any status", { OPEN: "Open", RESOLVED: "Decided" }),
  createChoice("result", "Result", "Any result", { upheld: "Upheld", overturned: "Overturned" }),
  CATEGORY_CHOICE,
];

export default async function DisputesPage({ searchParams }: PageProps<"/disputes">) {
  const { input, list } = readListQuery(PATH, INPUT, await searchParams);
  const query = { ...input, size: ROWS };
  const page = await (await getPageApi()).explorer.networkDisputes(query);
  return (
    <ListPage {...list} counts={page} exportPath="/exports/disputes">
      <LiveDisputes
        {...list}
        key={JSON.stringify(query)}
        initial={page}
        input={query}
        choices={CHOICES}
        now={new Date().toISOString()}
        empty={
          <EmptyState title="No disputes yet">
            The party that a verdict went against can dispute it, from the job’s page.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
