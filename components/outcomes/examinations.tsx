import { formatAmount, formatPercent, formatSeconds } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import type { PublicJudgement } from "@/server/judging/schema";
import { VerdictMark } from "./verdict-mark";

type Examination = PublicJudgement["examinations"][number];

const CELL = "py-2 pr-3 align-top text-left";
const NUMBER = "py-2 pl-3 align-top text-right whitespace-nowrap";
const WIDE = `${NUMBER} max-sm:hidden`;

interface Props {
  examinations: Examination[];
  /** Whether they reviewed a disputed verdict. */
  isReview?: boolean;
}

/** Lists who examined: model, verdict, how sure it was, latency and tokens. */
export function Examinations({ examinations, isReview }: Props) {
  const isThird = examinations.length > 2;
  return (
    <div>
      <h3 className="font-medium">Who examined</h3>
      <p className="mt-0.5 mb-2 text-sm text-muted">
        {isThird
          ? `The first two ${isReview ? "contradicted the verdict" : "did not agree"}, so a third examination was made. None saw the others.`
          : "At the same time, neither seeing the other."}
      </p>
      <Table
        caption="Examinations"
        className="text-sm"
        rows={examinations}
        columns={[
          ["Model", `${CELL} w-full max-w-0 break-words`, renderModel],
          ["Verdict", `${CELL} whitespace-nowrap`, renderVerdict],
          ["Sure", NUMBER, ({ confidence }) => confidence !== null && formatPercent(confidence)],
          ["Latency", WIDE, ({ latencyMs }) => formatSeconds(latencyMs)],
          ["Tokens in, out", WIDE, renderTokens],
        ]}
      />
    </div>
  );
}

function renderModel({ returnedModel, requestedModel }: Examination, index: number) {
  return (
    <>
      {returnedModel ?? requestedModel}
      {index === 2 && <span className="text-muted"> (third)</span>}
    </>
  );
}

/** Signed criteria decide without a verdict. */
function renderVerdict({ outcome, verdict }: Examination) {
  if (outcome !== "answer") return <span className="text-bad">{NO_ANSWERS[outcome]}</span>;
  return verdict ? <VerdictMark verdict={verdict} /> : "By criteria";
}
const NO_ANSWERS = { refusal: "Refused", unusable: "Unusable" };

function renderTokens({ tokens }: Examination) {
  if (!tokens) return "not reported";
  return `${formatAmount(tokens.input)}, ${formatAmount(tokens.output)}`;
}
