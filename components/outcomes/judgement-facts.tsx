import type { ReactNode } from "react";
import { Fact } from "@/components/ui/fact";
import { Hex } from "@/components/ui/hex";
import type { Escalation, Flag, PublicJudgement } from "@/server/judging/schema";
import { JudgeLink } from "./judge-link";
import { VoteTable } from "./vote-table";

const FLAGS: Record<Flag, string> = {
  "injection-suspected": "a vote suspected that the material tries to steer the judge",
  "injection-detected": "words that address a judge were found in the material",
  "canary-lost": "a vote did not repeat the word that it was asked to repeat",
  confusables: "words with letters of several scripts that look alike were found",
  "hidden-characters": "characters that a reader does not see were found, and taken out",
  "not-normalised": "Unicode normalisation would have multiplied the text, and was not applied",
};

const REASONS: Record<Escalation["reasons"][number], string> = {
  dissent: "the votes differed",
  "unverified-must": "something required could not be verified",
  flag: "a flag was raised",
  "high-value": "the outcome is of high value",
  "no-answer": "a vote gave no usable answer",
};

/** By whom and how it was judged, and what of that is kept. */
export function JudgementFacts({ judgement }: { judgement: PublicJudgement }) {
  const { judge, votes, flags, escalation, shortened } = judgement;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p>{bywhom(judgement)}</p>
      {votes.length > 0 && <VoteTable votes={votes} />}
      {escalation && (
        <p className="text-sm">
          <span className="font-medium">More votes were asked for</span>, of {escalation.model}:{" "}
          {listed(escalation.reasons.map((reason) => REASONS[reason]))}.
        </p>
      )}
      {judge.kind === "llm" && (
        <p className="text-sm">
          {flags.length === 0 ? (
            <span className="text-muted">Nothing suspicious was flagged.</span>
          ) : (
            <>
              <span className="font-medium">Flagged, which asks for more votes:</span>{" "}
              {listed(flags.map((flag) => FLAGS[flag]))}.
            </>
          )}
        </p>
      )}
      {shortened && (
        <p className="text-sm">
          The deliverable is long: {shortened.shown.toLocaleString("en")} of its{" "}
          {shortened.of.toLocaleString("en")} characters were judged.
        </p>
      )}
      <Kept judgement={judgement} />
    </div>
  );
}

function bywhom({ judge, votes, durationMs }: PublicJudgement): ReactNode {
  const took = durationMs < 100 ? "at once" : `in ${(durationMs / 1000).toFixed(1)} s`;
  if (judge.kind === "gate") {
    return (
      <>
        By a rule (<JudgeLink id={judge.id} />
        ), without a judge: there was no text to judge. No language model was called.
      </>
    );
  }
  if (judge.kind === "heuristic") {
    return (
      <>
        By the built-in rules (<JudgeLink id={judge.id} />) {took}. No language model was asked.
      </>
    );
  }
  return (
    <>
      By <JudgeLink id={judge.id} />
      {votes.length > 0 ? `, asked ${votes.length} times,` : ""} {took}. The model answered one
      criterion at a time; code checked its quotations, counted, and drew the verdict.
    </>
  );
}

function Kept({ judgement }: { judgement: PublicJudgement }) {
  const { judge, calibration, hashes, evidenceHash } = judgement;
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm text-muted hover:text-ink">
        What was kept
      </summary>
      <dl className="mt-4 grid gap-4">
        <Fact label="Method, prompts and guides">{judge.version}</Fact>
        {judge.kind === "llm" && (
          <Fact label="Table that turns votes into confidence">
            {calibration ?? "none"}
            {calibration?.startsWith("unfitted") && (
              <span className="text-muted"> (not yet fitted to labelled cases)</span>
            )}
          </Fact>
        )}
        <Fact label="Evidence hash, as recorded">
          <Hex value={evidenceHash} name="evidence hash" />
        </Fact>
        {Object.entries(hashes).map(([name, hash]) => (
          <Fact key={name} label={`Hash: ${inWords(name)}`}>
            <Hex value={hash} name={`hash of ${inWords(name)}`} />
          </Fact>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        Hashes of private texts are salted. The two parties get the salt and everything else that is
        kept, raw answers included, with their key: GET /outcome/{"{outcomeId}"}/judgement.
      </p>
    </details>
  );
}

/** `deliverableCanonical` → "deliverable canonical". */
const inWords = (name: string) => name.replace(/([a-z])([A-Z])|[.-]/g, "$1 $2").toLowerCase();

const listed = (parts: string[]) => new Intl.ListFormat("en").format(parts);
