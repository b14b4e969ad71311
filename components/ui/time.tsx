import { formatAgo, formatDateTime, formatDay } from "./format";

interface Props {
  /** ISO 8601. */
  at: string;
  /** If given, the age at that time is shown in place of the day. */
  now?: string;
  /** Whether the time of the day counts, as at deadlines. */
  isExact?: boolean;
  className?: string;
}

/** Shows a day, `Nov 22, 2026`, with the time, or an age; its title has the time and the zone. */
export function Time({ at, now, isExact, className }: Props) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className={className}>
      {now ? formatAgo(at, now) : (isExact ? formatDateTime : formatDay)(at)}
    </time>
  );
}
