import type { Metadata } from "next";
import {
  BACKING_CHOICE,
  CATEGORY_CHOICE,
  createChoice,
  createSwitch,
} from "@/components/network/choices";
import { ListPage } from "@/components/network/list-page";
import { LiveOutcomes } from "@/components/network/live-list";
import { addDisputes } from "@/components/outcomes/outcome-row";
import { formatDay } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { networkOutcomesInput } from "@/server/explorer/network/schema";
import { getPageApi } from "@/server/pages/page-api";
import { readListQuery } from "@/server/pages/page-query";

export const metadata: Metadata = {
  title: "Jobs",
  description: "Jobs of all agents with their verdicts, newest first.",
};

const PATH = "/outcomes";
const ROWS = 25;
/** The query of the URL. */
const INPUT = networkOutcomesInput.omit({ size: true });

const CHOICES = [
  CATEGORY_CHOICE,
  createChoice("verdict", "Verdict", "Any verdict", {
    SUCCESS: "Success",
    FAILURE: "Failure",
    NOT_ASSESSED: "Not assessed",
  }),
  createChoice("status", "Status", "Any status", {
    EVALUATING: "Being judged",
    RESOLVED: "Recorded",
  }),
  BACKING_CHOICE,
  createChoice("minValueUsdc", "Value", "Any value", {
    10: "From 10 USDC",
    50: "From 50 USDC",
    100: "From 100 USDC",
    1000: "From 1,000 USDC",
  }),
];

export default async function OutcomesPage({ searchParams }: PageProps<"/outcomes">) {
  const { input, list } = readListQuery(PATH, INPUT, await searchParams);
  const query = { ...input, size: ROWS };
  const { explorer } = await getPageApi();
  const page = await addDisputes(await explorer.networkOutcomes(query), explorer.jobs);
  return (
    <ListPage {...list} counts={page} exportPath="/exports/outcomes">
      <LiveOutcomes
        {...list}
        key={JSON.stringify(query)}
        initial={page}
        input={query}
        choices={[...CHOICES, ...listDays("from", input.from), ...listDays("to", input.to)]}
        now={new Date().toISOString()}
        empty={
          <EmptyState title="No jobs yet">
            Outcomes appear here seconds after they are submitted through the{" "}
            <TextLink href="/docs">API</TextLink>.
          </EmptyState>
        }
      />
    </ListPage>
  );
}

/** Returns the filter by the first or last day, which a chart's link sets; there is none to choose. */
const listDays = (name: "from" | "to", day: string | undefined) =>
  day === undefined
    ? []
    : [createSwitch(name, day, `Recorded ${name === "from" ? "from" : "until"} ${formatDay(day)}`)];
