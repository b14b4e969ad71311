import { UntrustedText } from "@/components/site/untrusted-text";
import { capitalize } from "@/components/ui/format";

/** What the owner's jobs are called, by the id of the outcome. */
export type JobNames = Record<string, string>;

interface Props {
  job: { outcomeId: string; taskCategory: string };
  names: JobNames;
}

/** Names a job to one of its parties, by its category if its task is unknown. */
export function JobName({ job: { outcomeId, taskCategory }, names }: Props) {
  const name = names[outcomeId];
  return name ? <UntrustedText>{name}</UntrustedText> : `${capitalize(taskCategory)} job`;
}
