import {
  describeProfile,
  loadProfile,
  ProfileFrame,
  type ProfileProps,
} from "@/app/(explorer)/agents/[wallet]/profile-frame";
import { LimitDetails } from "@/components/agents/limit-details";
import { ScoreBreakdownTable } from "@/components/agents/score-breakdown";
import { ScoreChanges } from "@/components/agents/score-changes";
import { Panel } from "@/components/ui/panel";
import { getPageApi } from "@/server/pages/page-api";
import { countEvidence } from "@/server/reputation/score/count-evidence";
import { describeCeiling, splitLosses } from "@/server/reputation/score/explain-score";

export const generateMetadata = (props: ProfileProps) => describeProfile(props, "score");

export default async function AgentScorePage({ params }: ProfileProps) {
  const profile = await loadProfile((await params).wallet);
  const { walletAddress, breakdown, limit, recommendation, reputation } = profile;
  const moves = await (await getPageApi()).explorer.moves({ walletAddress });
  return (
    <ProfileFrame profile={profile} tab="score">
      <div className="grid grid-cols-1 gap-6">
        <Panel title="What the score is made of" note={describeCeiling(reputation)}>
          <ScoreBreakdownTable
            breakdown={breakdown}
            evidence={breakdown && countEvidence(breakdown)}
            score={reputation.score}
            losses={breakdown && splitLosses(reputation.score, breakdown)}
          />
        </Panel>
        <Panel title="Limit" note="What its record covers in payments under an agreement.">
          <LimitDetails limit={limit} recommendation={recommendation} />
        </Panel>
        <Panel
          title="Why it moved"
          note="Every visible change of the last 30 days, or the latest five; age lowers a score on days without jobs too."
        >
          <ScoreChanges moves={moves} />
        </Panel>
      </div>
    </ProfileFrame>
  );
}
