import { setTimeout as pause } from "node:timers/promises";
import { agreements, type StandingClient } from "@standing/sdk";
import { HOUR_MS, SECOND_MS } from "@/server/lib/time";
import type { DemoAgent, DemoAgents } from "./agents";
import { readReputation } from "./outcomes";
import type { AgentName } from "./tasks";
import type { TestUsdc } from "./test-usdc";

/** A job whose terms both parties sign before the work. */
interface AgreedJob
  extends Pick<
    agreements.AgreementJob,
    "category" | "title" | "task" | "valueUsdc" | "requirements"
  > {
  contractor: AgentName;
  requester: AgentName;
  /** Whether the requester pays before the work, where there is test USDC. */
  isUpfront?: true;
  /** What the contractor tries and then delivers; null if it delivers nothing. */
  deliverable: { tried: string; delivered: string } | null;
}

const AGREED_JOBS: AgreedJob[] = [
  {
    contractor: "nightshift",
    requester: "harbor",
    category: "ops",
    valueUsdc: 25,
    title: "Notice of Saturday's maintenance",
    task: "Write a notice of Saturday's maintenance for our status page in at most 40 words, with the time.",
    requirements: [
      { check: "word-count", max: 40 },
      { check: "contains", phrases: ["Saturday", "UTC"] },
    ],
    deliverable: {
      tried: "On Saturday from 08:00 to 09:00 we move the database. Pages stay readable.",
      delivered: "On Saturday from 08:00 to 09:00 UTC we move the database. Pages stay readable.",
    },
  },
  {
    contractor: "ledgerly",
    requester: "nightshift",
    category: "data-analysis",
    isUpfront: true,
    valueUsdc: 30,
    title: "Error counts of three hosts",
    task: "Return the error counts of three hosts as CSV with the columns host, errors and checked.",
    requirements: [{ check: "csv", columns: ["host", "errors", "checked"], minRows: 3 }],
    deliverable: {
      tried: "host,errors\nweb-1,4\nweb-2,9\ndb-1,0",
      delivered: "host,errors\nweb-1,4\nweb-2,9\ndb-1,0",
    },
  },
  {
    contractor: "patchwork",
    requester: "harbor",
    category: "code-review",
    valueUsdc: 45,
    title: "Function without duplicates",
    task: "Write a function that removes duplicates from a sorted list.",
    requirements: [{ check: "code-block", language: "typescript" }],
    deliverable: null,
  },
];

/** The shortest deadline is two minutes, and the report follows a minute later. */
const SHORT_MS = 125 * SECOND_MS;
const REPORT_DELAY_MS = 61 * SECOND_MS;

/** A job that both parties have signed. */
export interface SignedJob extends Pick<AgreedJob, "title" | "deliverable"> {
  agreementId: string;
  contractor: DemoAgent;
  requester: DemoAgent;
  /** Milliseconds since 1970. */
  deadline: number;
}

/** Has the requester propose the terms of a job, and the contractor sign them. */
export async function signTerms(
  { contractor, requester }: { contractor: DemoAgent; requester: DemoAgent },
  job: Omit<agreements.AgreementJob, "contractor" | "requester">,
): Promise<agreements.Agreement> {
  const proposal = await agreements.propose(requester.client, requester.account, {
    ...job,
    contractor: contractor.wallet,
    requester: requester.wallet,
  });
  const read = await contractor.client.get("/agreements/{agreementId}", {
    params: { path: proposal },
  });
  return agreements.accept(contractor.client, contractor.account, read);
}

/** Has both parties of each job sign its terms, and one requester pay. */
export const signAgreedJobs = (agents: DemoAgents, usdc: TestUsdc | null): Promise<SignedJob[]> =>
  Promise.all(
    AGREED_JOBS.map(async ({ deliverable, isUpfront, contractor, requester, ...job }) => {
      const parties = { contractor: agents[contractor], requester: agents[requester] };
      const deadline = Date.now() + (deliverable ? HOUR_MS : SHORT_MS);
      const agreed = await signTerms(parties, {
        ...job,
        payment: isUpfront && usdc ? "upfront" : "on-delivery",
        deliverBy: new Date(deadline).toISOString(),
      });
      const { agreementId, requirements } = agreed;
      const payer = parties.requester;
      console.log(
        `  ${payer.name} and ${parties.contractor.name} signed: ${requirements.join("; ")}`,
      );
      if (isUpfront && usdc) {
        await usdc.fund(payer, job.valueUsdc);
        // The contractor is new, so nothing recommends to pay it first.
        const terms = [payer.client, payer.account, agreed, { atOwnRisk: true }] as const;
        await usdc.sendSigned(payer, await agreements.signPayment(...terms));
        console.log(
          `  ${payer.name} paid ${job.valueUsdc} USDC upfront, by the agreement's digest`,
        );
      }
      return { agreementId, title: job.title, ...parties, deliverable, deadline };
    }),
  );

/** Delivers a signed job after trying it, or reports after its deadline that nothing was delivered. */
export async function finishAgreedJob(
  visitor: StandingClient,
  { agreementId, title, contractor, requester, deliverable, deadline }: SignedJob,
): Promise<void> {
  const lines: string[] = [];
  let outcome: Awaited<ReturnType<typeof agreements.deliver>>;
  if (deliverable) {
    const { tried, delivered } = deliverable;
    const { results } = await agreements.check(contractor.client, agreementId, {
      deliverableContent: tried,
    });
    lines.push(
      ...results.map(
        ({ passed, description, observed }) =>
          `tried: ${description}: ${observed}${passed ? "" : ", fails"}`,
      ),
    );
    outcome = await agreements.deliver(contractor.client, agreementId, {
      title,
      deliverableContent: delivered,
    });
  } else {
    await pause(Math.max(0, deadline + REPORT_DELAY_MS - Date.now()));
    outcome = await agreements.report(requester.client, agreementId);
  }
  const { score, tier } = await readReputation(visitor, contractor.wallet);
  lines.push(
    `confidence ${outcome.llmConfidence}, agreed by both parties`,
    `${outcome.llmJudgeReasoning}`,
    `transaction ${outcome.onChainTx}, log ${outcome.recordIndex}`,
  );
  console.log(
    `  ${outcome.verdict?.padEnd(8)} ${outcome.taskCategory.padEnd(14)} ${contractor.name.padEnd(14)} score ${score.toFixed(2).padStart(5)} ${tier}
${lines.map((line) => `           ${line}`).join("\n")}\n`,
  );
}
