import { UntrustedText } from "@/components/site/untrusted-text";
import { nameListedJob } from "@/server/outcomes/job-name";

/** A job with what lists name it by. */
export interface TitledJob {
  title?: string | null | undefined;
  taskCategory: string;
}

/** Names a job by its title, or else by its category. */
export const JobTitle = ({ title, taskCategory }: TitledJob) =>
  title ? <UntrustedText>{title}</UntrustedText> : nameListedJob(taskCategory);
