import { ScoreChanges } from "@/components/agents/score-changes";
import { Panel } from "@/components/ui/panel";
import { formatPoints, hasPoints } from "@/components/ui/points";
import type { OutcomeEffects } from "@/server/explorer/schema";
import { getMove } from "./score-move";

/** Shows what records of an outcome or a dispute did to the score, and their sum if there are several. */
export function ScoreEffect({ changes }: Pick<OutcomeEffects, "changes">) {
  if (changes.length === 0) return null;
  const moved = changes.filter((change) => hasPoints(getMove([change])));
  return (
    <Panel
      title="Effect on the score"
      note={moved.length > 1 && `${formatPoints(getMove(changes))} in all`}
    >
      <ScoreChanges moves={changes} isOfOutcome />
    </Panel>
  );
}
