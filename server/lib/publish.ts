import type { Transaction } from "./database";

/** An event as Inngest knows it. Publishing the same `id` twice is one event. */
export interface AppEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * Publishes events in the SQL transaction of the change they announce: both happen or neither. The
 * engine provides the transport at startup.
 */
export type Publish = (tx: Transaction, events: AppEvent[]) => Promise<void>;
