import { keepPreviousData } from "@tanstack/react-query";
import { trpc } from "@/components/trpc";
import type { Names } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";

/** What the owner's jobs are called, by the id of the outcome. */
export type JobNames = Record<string, string>;

/** Names of agents by wallet, and of jobs by the id of the outcome. */
export interface KnownNames {
  names: Names;
  jobNames: JobNames;
}

type Jobs = (Parameters<typeof listParties>[0][number] & { outcomeId: string })[];

const OPTIONS = { placeholderData: keepPreviousData, staleTime: 60_000 };

/** Returns the names that the page came with and, once loaded, those of jobs that came later. */
export function useNames(jobs: Jobs, initial: KnownNames): KnownNames {
  const ids = jobs.map(({ outcomeId }) => outcomeId);
  const { data: names } = trpc.explorer.names.useQuery(listParties(jobs), OPTIONS);
  const { data: jobNames } = trpc.outcomes.jobNames.useQuery(ids, OPTIONS);
  return {
    names: { ...initial.names, ...names },
    jobNames: { ...initial.jobNames, ...jobNames },
  };
}
