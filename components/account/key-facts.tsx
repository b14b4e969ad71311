import { UntrustedText } from "@/components/site/untrusted-text";
import { formatAgo, formatDateTime, formatDay } from "@/components/ui/format";
import type { ApiKeyEntry } from "@/server/agents/schema";

/** Returns whether the key works at the time `now` (milliseconds). */
export const isActiveKey = ({ revokedAt, expiresAt }: ApiKeyEntry, now: number) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

/** Shows a key's name, last characters, age and last use. */
export function KeyFacts({ entry, now }: { entry: ApiKeyEntry; now: number }) {
  const { name, lastFour, createdAt, lastUsedAt } = entry;
  const validity = describeValidity(entry, now);
  return (
    <div className="grid min-w-0 flex-1 basis-64 items-baseline gap-x-6 gap-y-0.5 lg:grid-cols-[1fr_7rem_11rem_8rem]">
      <p className="min-w-0">
        <span className="font-medium break-words">
          {name ? <UntrustedText>{name}</UntrustedText> : "Unnamed key"}
        </span>
        {validity && <span className="ml-3 text-sm text-notice-ink">{validity}</span>}
      </p>
      <code className="text-[0.8125rem]">rep_…{lastFour}</code>
      <p className="text-sm whitespace-nowrap text-muted">Created {formatDay(createdAt)}</p>
      <p className="text-sm text-muted" title={lastUsedAt ? formatDateTime(lastUsedAt) : undefined}>
        {lastUsedAt ? `Used ${formatAgo(lastUsedAt, new Date(now).toISOString())}` : "Never used"}
      </p>
    </div>
  );
}

function describeValidity(entry: ApiKeyEntry, now: number): string | null {
  const { revokedAt, expiresAt } = entry;
  if (revokedAt) return `Revoked ${formatDateTime(revokedAt)}`;
  return (
    expiresAt && `${isActiveKey(entry, now) ? "Expires" : "Expired"} ${formatDateTime(expiresAt)}`
  );
}
