import { z } from "zod";
import { txHashSchema } from "@/server/lib/schema";

/** A payment that was sent and that the service may not know yet, with what was to be said. */
const keptPayment = z.object({
  /** A stake that opens or answers a dispute, or the return of an outcome's payment. */
  action: z.enum(["open", "answer", "refund"]),
  /** Of the outcome; of the dispute to answer. */
  id: z.string(),
  txHash: txHashSchema,
  text: z.string(),
  /** Empty for none. */
  deliverableContent: z.string().default(""),
  evidenceUrl: z.string(),
});
export type KeptPayment = z.infer<typeof keptPayment>;

/** Whose payments on which chain; nobody else's are shown. */
export interface Payer {
  chainId: number;
  wallet: string;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const prefixOf = ({ chainId, wallet }: Payer) => `standing.stake.${chainId}.${wallet}.`;
const keyOf = (payer: Payer, { action, id }: Pick<KeptPayment, "action" | "id">) =>
  `${prefixOf(payer)}${action}.${id}`;

/**
 * Keeps a payment until it is forgotten, over reloads and the browser's end. A deliverable that is too
 * long for the store is left out: the payment must not be lost over it.
 */
export function keepPayment(store: Store, payer: Payer, payment: KeptPayment): void {
  const key = keyOf(payer, payment);
  try {
    store.setItem(key, JSON.stringify(payment));
  } catch {
    store.setItem(key, JSON.stringify({ ...payment, deliverableContent: "" }));
  }
}

export function forgetPayment(
  store: Store,
  payer: Payer,
  payment: Pick<KeptPayment, "action" | "id">,
): void {
  store.removeItem(keyOf(payer, payment));
}

/** What is kept of a payer; what is not whole is left alone. */
export function keptPayments(store: Store, payer: Payer): KeptPayment[] {
  const found: KeptPayment[] = [];
  for (let at = 0; at < store.length; at++) {
    const key = store.key(at);
    if (key?.startsWith(prefixOf(payer))) found.push(...parsed(store.getItem(key)));
  }
  return found;
}

function parsed(text: string | null): KeptPayment[] {
  try {
    const read = keptPayment.safeParse(JSON.parse(text ?? ""));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}
