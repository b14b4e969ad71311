/**
 * Whose work it is: keys of the client's address and of the agent, and so of the wallet. They only
 * have to be equal for the same client and the same agent.
 */
export type QueueKey = readonly [client: string, agent: string];

/** The service's own work shares one turn. */
const OWN_WORK: QueueKey = ["", ""];

type Start = () => void;

/** Work that waits and runs under one key, and under the keys below it. */
class Turns {
  running = 0;
  waiting = 0;
  /** Number of permits since it last had no work. */
  private served = 0;
  private readonly queue: Start[] = [];
  /** By key. The first has been without a permit for longest. */
  private readonly members = new Map<string, Turns>();
  constructor(private readonly limit: number) {}

  add(start: Start, [key, ...below]: readonly string[]): void {
    this.waiting += 1;
    if (key === undefined) {
      this.queue.push(start);
      return;
    }
    const member = this.members.get(key) ?? new Turns(this.limit);
    this.members.set(key, member);
    member.add(start, below);
  }

  /** Takes the work of the member that comes next; of the first one if several are equal. */
  take(): Start | undefined {
    if (this.waiting === 0) return undefined;
    this.waiting -= 1;
    this.running += 1;
    this.served += 1;
    let next: Turns | undefined;
    for (const member of this.members.values()) {
      if (member.waiting > 0 && (!next || this.comesBefore(member, next))) next = member;
    }
    return next ? next.take() : this.queue.shift();
  }

  /** Members that had fewer permits than the limit come first, then those with less running work. */
  private comesBefore(one: Turns, other: Turns): boolean {
    const had = Math.min(one.served, this.limit);
    const otherHad = Math.min(other.served, this.limit);
    return had === otherHad ? one.running < other.running : had < otherHad;
  }

  end([key, ...below]: readonly string[]): void {
    this.running -= 1;
    const member = key === undefined ? undefined : this.members.get(key);
    if (key === undefined || !member) return;
    member.end(below);
    this.members.delete(key);
    if (member.running + member.waiting > 0) this.members.set(key, member);
  }
}

/**
 * Limits concurrent work to `limit`. A free permit goes to the client with the least running work,
 * in turn, and within a client to the agent with the least. A client that had no work before comes
 * first until it has had `limit` permits, so that work of several parts waits once. So a client that
 * queues much delays others by at most the running work of one permit, and gains nothing by using
 * several agents.
 */
export class FairQueue {
  private readonly turns: Turns;
  constructor(private readonly limit: number) {
    this.turns = new Turns(limit);
  }

  /** Number of permits in use. */
  get running(): number {
    return this.turns.running;
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  /**
   * Resolves to the function that releases the permit; call it once. Rejects with the signal's
   * reason if that aborts before there is a permit.
   */
  acquire(queueKey: QueueKey = OWN_WORK, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal?.reason);
      if (signal?.aborted) return giveUp();
      signal?.addEventListener("abort", giveUp, { once: true });
      const start = () => {
        signal?.removeEventListener("abort", giveUp);
        if (signal?.aborted) this.turns.end(queueKey);
        else resolve(() => this.release(queueKey));
      };
      this.turns.add(start, queueKey);
      this.startNext();
    });
  }

  /** Does `work` with a permit. Rejects as `acquire` and `work` do. */
  async run<T>(
    queueKey: QueueKey | undefined,
    work: () => Promise<T> | T,
    signal?: AbortSignal,
  ): Promise<T> {
    const release = await this.acquire(queueKey, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private release(queueKey: QueueKey): void {
    this.turns.end(queueKey);
    this.startNext();
  }

  private startNext(): void {
    while (this.turns.running < this.limit) {
      const next = this.turns.take();
      if (!next) return;
      next();
    }
  }
}
