import { randomBytes } from "node:crypto";
import { type Caller, lockAgent, tryLockAgents } from "@/server/agents/authenticate";
import { endByOutcomes } from "@/server/agreements/end";
import { agreementEnded, createAgreementEvent } from "@/server/agreements/events";
import type { AgreementRow } from "@/server/agreements/public-agreement";
import { array, columns } from "@/server/db/arrays";
import { createBatcher, REQUEST_BATCH_OPTIONS } from "@/server/db/batch";
import { pipeline, type Started, unordered } from "@/server/db/pipeline";
import { isBlank } from "@/server/judging/canonicalise";
import { commitTo } from "@/server/judging/evidence";
import type { Context, Database, Transaction } from "@/server/lib/context";
import { prepareOnce } from "@/server/lib/database";
import type { Party } from "@/server/lib/schema";
import { toMicro } from "@/server/lib/usdc";
import { attachPayment, type NamedPayment } from "./attach-payment";
import { lockTurn } from "./deliver";
import { outcomeSubmitted } from "./events";
import type { Submission, SubmitInput } from "./schema";

export interface Submitter extends Caller {
  wallet: string;
  walletVerified: boolean;
}

/** A validated submission. */
export interface NewSubmission {
  /** Id of the outcome. */
  id: string;
  input: SubmitInput;
  inputHash: string;
  submitter: Submitter;
  submittedBy: Party;
  /** The agreement that it ends. */
  agreement: AgreementRow | null;
  idempotencyKey: string | null;
  /** As in `outcomes.submitterClient`. */
  client: string;
  response: Submission;
}

type Dependencies = Pick<Context, "db" | "publish" | "chain" | "env">;

/**
 * Stores a submission and publishes its event in one transaction, which concurrent ones share. Returns
 * false, and changes nothing, if its idempotency key was used before.
 *
 * Throws `unauthenticated` as `lockAgent` does, and the errors of `lockTurn` and `attachPayment`.
 */
export async function storeSubmission(
  ctx: Dependencies,
  submission: NewSubmission,
  payment: NamedPayment | null,
): Promise<boolean> {
  if (payment === null && submission.submitter.keyId) {
    const isStored = await getBatcher(ctx.db)({ submission, publish: ctx.publish });
    if (isStored) return true;
  }
  return storeAlone(ctx, submission, payment);
}

/** Undoes the transaction of a submission that can't be stored. */
class NotStored extends Error {
  override name = "NotStored";
}

async function storeAlone(
  ctx: Dependencies,
  submission: NewSubmission,
  payment: NamedPayment | null,
): Promise<boolean> {
  try {
    await ctx.db.transaction(async (tx) => {
      const { id, agreement } = submission;
      const now = agreement ? await lockTurn(tx, agreement.id, submission) : undefined;
      // If one finds a reason to refuse, none takes effect. Of several reasons, an ended registration
      // is the cause of the others.
      const [, inserted] = await pipeline(tx, [
        () => lockAgent(tx, submission.submitter),
        () => insertOutcomes(tx, [submission], now),
        () => unordered(publishSubmitted(ctx, tx, [submission])),
      ]);
      if (inserted.size === 0) throw new NotStored();
      if (payment) await attachPayment(ctx, tx, id, payment);
    });
    return true;
  } catch (error) {
    if (error instanceof NotStored) return false;
    throw error;
  }
}

interface Item {
  submission: NewSubmission;
  publish: Context["publish"];
}

/** Undoes the transaction of a batch of which only `stored` can be stored. */
class PartlyStored extends Error {
  override name = "PartlyStored";
  constructor(readonly stored: Item[]) {
    super();
  }
}

/** Returns a function that stores a submission with concurrent ones, and returns whether it is stored. */
const getBatcher = prepareOnce((db: Database) =>
  createBatcher(async (items: Item[]): Promise<boolean[]> => {
    const stored = new Set(await storeTogether(db, items));
    return items.map((item) => stored.has(item));
  }, REQUEST_BATCH_OPTIONS),
);

/**
 * Stores submissions by key that name no payment in one transaction. Returns those that are stored: the
 * others have a reason to be refused, or their agent or agreement is locked, which holds up no other.
 */
async function storeTogether(db: Database, items: Item[]): Promise<Item[]> {
  if (items.length === 0) return [];
  try {
    await db.transaction(async (tx) => {
      const submissions = items.map(({ submission }) => submission);
      const callers = submissions.map(({ submitter: { id, keyId } }) => ({
        id,
        keyId: keyId ?? "",
      }));
      const publishAll = async () => {
        for (const publish of new Set(items.map((item) => item.publish))) {
          const published = items.filter((item) => item.publish === publish);
          await publishSubmitted(
            { publish },
            tx,
            published.map(({ submission }) => submission),
          );
        }
      };
      const [isLocked, inserted] = await pipeline(tx, [
        () => tryLockAgents(tx, callers),
        () => insertOutcomes(tx, submissions),
        () => unordered(publishAll()),
      ]);
      const stored = items.filter(
        ({ submission }, index) => isLocked[index] && inserted.has(submission.id),
      );
      if (stored.length < items.length) throw new PartlyStored(stored);
    });
    return items;
  } catch (error) {
    if (error instanceof PartlyStored) return storeTogether(db, error.stored);
    throw error;
  }
}

const publishSubmitted = (
  { publish }: Pick<Context, "publish">,
  tx: Transaction,
  submissions: NewSubmission[],
): Promise<void> =>
  publish(
    tx,
    submissions.flatMap(({ id, client, agreement }) => [
      {
        id: `outcome-submitted:${id}`,
        name: outcomeSubmitted.name,
        data: { outcomeId: id, client },
      },
      ...(agreement ? [createAgreementEvent(agreementEnded, agreement.id)] : []),
    ]),
  );

/** Returns what a submission gives its outcome. */
function toRow({ input, submitter, response, agreement, ...same }: NewSubmission) {
  const salt = randomBytes(16);
  return {
    ...same,
    ...input,
    valueMicro: toMicro(input.valueUsdc),
    agreementId: agreement?.id,
    agentId: submitter.id,
    proven: submitter.walletVerified,
    salt: salt.toString("hex"),
    taskHash: commitTo(salt, input.taskDescription),
    deliverableHash: commitTo(salt, getJudgedText(input)),
    storedAnswer: JSON.stringify(response),
  };
}

const ROW_TYPES = {
  id: "uuid",
  contractorAgentAddress: "text",
  requesterAgentAddress: "text",
  taskDescription: "text",
  taskCategory: "text",
  title: "text",
  deliverableContent: "text",
  deliverableUrl: "text",
  valueMicro: "bigint",
  submittedBy: "text",
  agentId: "uuid",
  proven: "boolean",
  salt: "text",
  taskHash: "text",
  deliverableHash: "text",
  idempotencyKey: "text",
  inputHash: "text",
  storedAnswer: "text",
  client: "text",
  agreementId: "uuid",
} as const;

/**
 * Inserts outcomes, in the order of their idempotency keys, so that two transactions can't wait for
 * each other, and ends their agreements; `now`: see `endByOutcomes`. Skips those with a known key, those of
 * an agent that another transaction has locked, and those that don't end their agreement. Returns the ids
 * of the others.
 */
export function insertOutcomes(
  tx: Transaction,
  submissions: NewSubmission[],
  now?: Date,
): Started<Set<string>> {
  const { sql } = tx;
  const rows = submissions.map(toRow);
  const agentIds = rows.map(({ agentId }) => agentId);
  const endings = submissions.flatMap(({ id, agreement, submittedBy }) =>
    agreement ? [{ agreementId: agreement.id, outcomeId: id, submittedBy }] : [],
  );
  const insert = () => sql<{ id: string }[]>`
    insert into outcomes (
      id, contractor, requester, task_description, task_category, title, deliverable_content,
      deliverable_url, value_micro, submitted_by, submitter_agent_id, proven, salt, task_hash,
      deliverable_hash, idempotency_key, input_hash, stored_answer, submitter_client, agreement_id,
      agreed, payment_transfer_id, payment_tx_hash, paid_micro
    )
    select s.id, s.contractor, s.requester, task, category, title, content, url, value, submitted_by,
      agent.id, proven, decode(salt, 'hex'), task_hash, deliverable_hash, key, input_hash, stored_answer, client,
      agreement_id, agreement_id is not null, payment.id, payment.tx_hash,
      coalesce(payment.amount_micro, 0)
    from unnest(${columns(sql, rows, ROW_TYPES)}) as s(id, contractor, requester, task, category, title, content, url, value, submitted_by,
      agent_id, proven, salt, task_hash, deliverable_hash, key, input_hash, stored_answer, client, agreement_id)
    join (
      select id from agents where id = any(${array(sql, "uuid", agentIds)}) for key share skip locked
    ) as agent on agent.id = s.agent_id
    left join agreements on agreements.id = agreement_id and agreements.outcome_id = s.id
    left join used_transfers payment on payment.id = agreements.payment_transfer_id
    where agreement_id is null or agreements.id is not null
    order by agent_id, key
    on conflict (submitter_agent_id, idempotency_key) do nothing
    returning id`;
  return pipeline(
    tx,
    [() => endings.length > 0 && endByOutcomes(tx, endings, now), insert],
    ([, inserted]) => new Set(inserted.map(({ id }) => id)),
  );
}

/**
 * Returns the text that the judge will look at: the content, or the URL if the content is blank.
 */
function getJudgedText({ deliverableContent = "", deliverableUrl }: SubmitInput): string {
  return isBlank(deliverableContent) ? (deliverableUrl ?? deliverableContent) : deliverableContent;
}
