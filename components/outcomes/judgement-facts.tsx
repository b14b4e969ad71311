import type { ReactNode } from "react";
import { Fact, HexFact } from "@/components/ui/fact";
import { formatCount } from "@/components/ui/format";
import { FoldedPanel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import type { Escalation, Flag, PublicJudgement } from "@/server/judging/schema";
import { JudgeLink } from "./outcome-steps";

const FLAGS: Record<Flag, string> = {
  "injection-suspected": "a vote suspected prompt injection",
  "injection-detected": "words in an encoding that only machines read were found",
  "canary-lost": "a vote failed the canary check",
  confusables: "look-alike letters of mixed scripts were found",
  "hidden-characters": "invisible characters were found and removed",
  "not-normalised": "Unicode normalization was skipped because it would multiply the text",
};

const REASONS: Record<Escalation["reasons"][number], string> = {
  dissent: "the votes differed",
  "unverified-must": "a required criterion could not be verified",
  flag: "a flag was raised",
  "control-met": "a vote accepted a control criterion on another subject",
  "high-value": "the value is high",
  "no-answer": "a vote was unusable",
};

/** Shows the judge, its votes, flags and the stored data of a judgement, on demand. */
export function JudgementFacts({ judgement }: { judgement: PublicJudgement }) {
  const { judge, votes, flags, escalation, shortened } = judgement;
  return (
    <FoldedPanel title="Judge" note={formatJudge(judge)}>
      <div className="grid grid-cols-1 gap-5">
        <p>{describeJudge(judgement)}</p>
        {votes.length > 0 && <VoteTable votes={votes} />}
        {escalation && (
          <p className="text-sm">
            <span className="font-medium">Second round of votes by {escalation.model}:</span>{" "}
            {formatList(escalation.reasons.map((reason) => REASONS[reason]))}.
          </p>
        )}
        {judge.kind === "llm" && (
          <p className="text-sm">
            {flags.length === 0 ? (
              <span className="text-muted">No flags were raised.</span>
            ) : (
              <>
                <span className="font-medium">Flags, which trigger a second round:</span>{" "}
                {formatList(flags.map((flag) => FLAGS[flag]))}.
              </>
            )}
          </p>
        )}
        {shortened && (
          <p className="text-sm">
            {shortened.shown.toLocaleString("en")} of {shortened.of.toLocaleString("en")} characters
            of the long deliverable were judged.
          </p>
        )}
        <StoredData judgement={judgement} />
      </div>
    </FoldedPanel>
  );
}

const formatJudge = ({ kind, id }: PublicJudgement["judge"]) =>
  kind === "gate" ? "Decided by a rule" : id;

function describeJudge({ judge, votes, durationMs }: PublicJudgement): ReactNode {
  const took = durationMs < 100 ? "in less than 0.1 s" : `in ${(durationMs / 1000).toFixed(1)} s`;
  if (judge.kind === "gate") {
    return (
      <>
        By <JudgeLink id={judge.id} />, because there was no text to judge. No language model was
        called.
      </>
    );
  }
  if (judge.kind === "heuristic") {
    return (
      <>
        By <JudgeLink id={judge.id} /> {took}. No language model was called.
      </>
    );
  }
  return (
    <>
      By <JudgeLink id={judge.id} />
      {votes.length > 0 ? `, ${formatCount(votes.length, "vote")},` : ""} {took}. The model assessed
      one criterion at a time; code verified its quotes and counted the votes.
    </>
  );
}

function StoredData({ judgement }: { judgement: PublicJudgement }) {
  const { judge, calibration, hashes } = judgement;
  return (
    <>
      <dl className="grid gap-4">
        <Fact label="Judge version">{judge.version}</Fact>
        {judge.kind === "llm" && (
          <Fact label="Calibration table">
            {calibration ?? "none"}
            {calibration?.startsWith("unfitted") && (
              <span className="text-muted"> (not yet fitted to labelled cases)</span>
            )}
          </Fact>
        )}
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

const formatList = (parts: string[]) => new Intl.ListFormat("en").format(parts);

type Vote = PublicJudgement["votes"][number];

const CELL = "py-2 align-top";
const OUTCOMES = {
  answer: "answered",
  refusal: "refused",
  unusable: "no usable answer",
} as const;

/** Lists every vote with model, result, latency and tokens. */
function VoteTable({ votes }: { votes: Vote[] }) {
  return (
    <Table
      caption="Votes"
      className="text-sm"
      rows={votes}
      columns={[
        ["Vote", `${CELL} pr-3 text-left`, (_, index) => index + 1],
        ["Model", `${CELL} w-full max-w-0 pr-3 text-left break-words`, renderModel],
        [
          "Latency",
          `${CELL} pr-3 text-right whitespace-nowrap`,
          ({ latencyMs }) => `${(latencyMs / 1000).toFixed(1)} s`,
        ],
        [
          "Tokens",
          `${CELL} hidden text-right whitespace-nowrap sm:table-cell`,
          ({ tokens }) =>
            tokens
              ? `${tokens.input.toLocaleString("en")} + ${tokens.output.toLocaleString("en")}`
              : "not reported",
        ],
      ]}
    />
  );
}

function renderModel({ returnedModel, requestedModel, purpose, outcome }: Vote) {
  return (
    <>
      {returnedModel ?? requestedModel}
      {purpose === "escalated-vote" && <span className="text-muted"> (second round)</span>}
      {outcome !== "answer" && <span className="block text-bad">{OUTCOMES[outcome]}</span>}
    </>
  );
}
