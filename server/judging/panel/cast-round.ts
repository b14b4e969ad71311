import type { JudgeOptions } from "@/server/judging/judge";
import type { CallRecord, KeptVote } from "@/server/judging/schema";
import type { Panel } from "./ask-twice";
import { type Case, castVote } from "./cast-vote";
import type { Control } from "./control";
import { letUnansweredCount } from "./unanswered";

/**
 * Casts `size` votes concurrently and returns them with all other calls they took. As soon as one
 * vote fails, throws `JudgeUnavailable` and cancels the others.
 */
export async function castRound(
  panel: Panel & { control: Control },
  asked: Case,
  { size, model, purpose }: { size: number; model: string; purpose: "vote" | "escalated-vote" },
  options: JudgeOptions,
): Promise<{ votes: KeptVote[]; calls: CallRecord[] }> {
  const failed = new AbortController();
  const signals = [failed.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  try {
    const cast = await Promise.all(
      Array.from({ length: size }, () =>
        castVote(panel, asked, { model, purpose, signal, silenceCounts: options.lastAttempt }),
      ),
    );
    const votes = cast.map(({ vote }) => vote);
    const unanswered = votes.flatMap(({ outcome }) =>
      outcome === "answer" ? [] : [{ outcome, model }],
    );
    const control = await letUnansweredCount(panel, unanswered, options, asked.shown.length);
    return { votes, calls: [...cast.flatMap(({ spent }) => spent), ...control] };
  } catch (error) {
    failed.abort();
    throw error;
  }
}
