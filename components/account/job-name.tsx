import { UntrustedText } from "@/components/site/untrusted-text";
import { capitalize } from "@/components/ui/format";

/** What the owner's jobs are called, by the id of the outcome. */
export type JobNames = Record<string, string>;

interface Props {
  name: string | undefined;
  category: string;
}

/** Names a job to one of its parties, by its category if it has no name. */
export function JobName({ name, category }: Props) {
  return name ? <UntrustedText>{name}</UntrustedText> : `${capitalize(category)} job`;
}
