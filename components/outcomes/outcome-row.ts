import type { NetworkOutcome } from "@/server/explorer/network/schema";
import type { Backing, NamedJobs, Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** The state of an outcome's dispute, where it was read. */
export type Disputed = Partial<Pick<NamedJobs[number], "dispute">>;

export const DISPUTE_LABELS = {
  open: "Dispute open",
  upheld: "Upheld in a dispute",
  overturned: "Overturned in a dispute",
};

interface Listed {
  outcomeId: string;
  disputeId?: string | null | undefined;
}

/** Adds the states of their disputes to the outcomes of a page. */
export async function addDisputes<Row extends Listed, Page extends { content: readonly Row[] }>(
  page: Page & { content: readonly Row[] },
  readJobs: (outcomeIds: string[]) => Promise<NamedJobs>,
): Promise<Omit<Page, "content"> & { content: (Row & Disputed)[] }> {
  const ids = page.content.flatMap(({ outcomeId, disputeId }) => (disputeId ? outcomeId : []));
  const jobs = ids.length > 0 ? await readJobs(ids) : [];
  const content = page.content.map((row) => {
    const job = jobs.find(({ outcomeId }) => outcomeId === row.outcomeId);
    return { ...row, dispute: job?.dispute ?? null };
  });
  return { ...page, content };
}

/** What a list shows of an outcome; what is missing is not shown. */
export type OutcomeRow = Partial<NetworkOutcome> &
  Disputed &
  Pick<NetworkOutcome, "outcomeId" | "taskCategory" | "contractor" | "requester" | "valueUsdc">;

/** Returns the row of an outcome, whose public facts are many times as long. */
export function toOutcomeRow(
  { refund, superseded, ...outcome }: PublicOutcome & Disputed & { backing?: Backing },
  names: Names,
): OutcomeRow {
  const name = (walletAddress: NetworkOutcome["contractor"]["walletAddress"]) => ({
    walletAddress,
    name: names[walletAddress] ?? null,
  });
  return {
    outcomeId: outcome.outcomeId,
    taskCategory: outcome.taskCategory,
    title: outcome.title,
    contractor: name(outcome.contractorAgentAddress),
    requester: name(outcome.requesterAgentAddress),
    valueUsdc: outcome.valueUsdc,
    submittedAt: outcome.submittedAt,
    verdict: outcome.verdict ?? null,
    finalVerdict: outcome.finalVerdict ?? null,
    assessed: outcome.assessed ?? null,
    dispute: outcome.dispute ?? null,
    clientConfirmed: outcome.clientConfirmed ?? null,
    isRefunded: refund !== undefined,
    isSuperseded: superseded !== undefined,
    ...(outcome.backing && { backing: outcome.backing }),
  };
}
