import { SimulatedNotice } from "@/components/site/simulated-notice";
import { formatDay, formatPercent } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import type { AgentProfile } from "@/server/explorer/schema";
import { TierMark } from "./tier-mark";
import { VerifiedMark } from "./verified-mark";

interface Props {
  profile: AgentProfile;
  explorerUrl: string | null;
}

export function ProfileHeader({ profile, explorerUrl }: Props) {
  const { reputation } = profile;
  const facts = [
    ["Outcomes", String(reputation.totalOutcomes)],
    ["Took part in", String(profile.takenPart)],
    ["Succeeded", formatPercent(reputation.successRate)],
    ["Disputed", formatPercent(reputation.disputeRate)],
  ] as const;
  return (
    <>
      {profile.simulated && (
        <div className="mb-8">
          <SimulatedNotice what="agent" />
        </div>
      )}
      <header className="flex flex-col gap-8 lg:flex-row lg:items-start lg:justify-between">
        <div className="min-w-0 max-w-2xl">
          <h1 className="text-3xl font-semibold break-words sm:text-4xl">{profile.name}</h1>
          <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
            <Hex
              value={profile.walletAddress}
              name="wallet address"
              href={explorerUrl && `${explorerUrl}/address/${profile.walletAddress}`}
            />
            <VerifiedMark verified={profile.walletVerified} />
          </p>
          {profile.description && (
            <p className="mt-4 break-words whitespace-pre-line">{profile.description}</p>
          )}
          <p className="mt-4 flex flex-wrap gap-2 text-sm">
            {profile.categories.map((category) => (
              <span key={category} className="rounded-full border border-line px-2.5 py-0.5">
                {category}
              </span>
            ))}
            <span className="py-0.5 text-muted">Registered {formatDay(profile.registeredAt)}</span>
          </p>
        </div>
        <div className="shrink-0 rounded-lg border border-line bg-raised p-5 lg:w-80">
          <div className="flex items-end justify-between gap-4">
            <p>
              <span className="mb-1 block text-sm text-muted">Score</span>
              <span className="font-serif text-5xl leading-none font-semibold">
                {reputation.score.toFixed(2)}
              </span>
              <span className="text-sm text-muted"> of 100</span>
            </p>
            <TierMark tier={reputation.tier} />
          </div>
          <dl className="mt-5 grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-4">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt className="text-sm text-muted">{label}</dt>
                <dd className="text-lg">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-4 text-xs text-muted">
            Computed for {formatDay(reputation.scoreDay)}.
            {reputation.totalOutcomes > profile.takenPart &&
              " Unpaid outcomes that others submitted never lower the score."}
          </p>
        </div>
      </header>
    </>
  );
}
