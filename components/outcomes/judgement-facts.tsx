import type { ReactNode } from "react";
import { describeCalibration, nameJudge } from "@/components/judging/judge-abilities";
import { Fact, HexFact } from "@/components/ui/fact";
import { formatSeconds } from "@/components/ui/format";
import { FoldedPanel } from "@/components/ui/panel";
import type { PublicJudgement } from "@/server/judging/schema";
import { JudgeLink } from "./outcome-steps";

/** Shows the judge and the stored data of a judgement, on demand. */
export function JudgementFacts({ judgement }: { judgement: PublicJudgement }) {
  return (
    <FoldedPanel title="Judge" note={nameJudge(judgement.judge)}>
      <div className="grid grid-cols-1 gap-5">
        <p>{describeJudge(judgement)}</p>
        <StoredData judgement={judgement} />
      </div>
    </FoldedPanel>
  );
}

function describeJudge({ judge, durationMs }: PublicJudgement): ReactNode {
  return (
    <>
      By <JudgeLink {...judge} />
      {judge.kind !== "gate" && ` in ${formatSeconds(durationMs)}`}.
      {judge.kind !== "llm" && " No language model was called."}
    </>
  );
}

function StoredData({ judgement }: { judgement: PublicJudgement }) {
  const { judge, calibration, hashes } = judgement;
  return (
    <>
      <dl className="grid gap-4">
        <Fact label="Judge version">{judge.version}</Fact>
        {judge.kind === "llm" && <Fact label="Confidence">{describeCalibration(calibration)}</Fact>}
        {Object.entries(hashes).map(([name, hash]) => (
          <HexFact
            key={name}
            label={`Hash: ${splitCamelCase(name)}`}
            value={hash}
            name={`hash of ${splitCamelCase(name)}`}
          />
        ))}
      </dl>
      <p className="text-sm text-muted">
        Hashes of private texts are salted. With their API key, the parties get the salt and all
        stored data, including raw responses: GET /outcome/{"{outcomeId}"}/judgement.
      </p>
    </>
  );
}

/** `deliverableCanonical` → "deliverable canonical". */
const splitCamelCase = (name: string) =>
  name.replace(/([a-z])([A-Z])|[.-]/g, "$1 $2").toLowerCase();
