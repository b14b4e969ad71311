import { getResult, RESULT_LABELS } from "@/components/outcomes/result";
import { formatUsdc } from "@/components/ui/format";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { INK, nameParty, Picture } from "./picture";

interface Props {
  outcome: PublicOutcome;
  /** Names of the registered parties. */
  names: Names;
  hasGlyph: (letter: number) => boolean;
}

/** Returns what a cached picture is kept by: new names alone do not draw it again. */
export const getOutcomePictureKey = (outcome: PublicOutcome) => [
  outcome.outcomeId,
  getResult(outcome),
];

/** Draws the preview of a link to an outcome: verdict and parties. */
export function OutcomePicture({ outcome, names, hasGlyph }: Props) {
  const result = getResult(outcome);
  const { finalVerdict, contractorAgentAddress, requesterAgentAddress, taskCategory } = outcome;
  const getLabel = (wallet: string) => nameParty(wallet, names, hasGlyph);
  return (
    <Picture
      footer={`${taskCategory} · ${formatUsdc(outcome.valueUsdc)}${finalVerdict ? " · recorded on chain" : ""}${outcome.simulated ? " · simulated" : ""}`}
    >
      <div style={{ display: "flex", flexDirection: "column" }}>
        <div style={{ display: "flex", alignItems: "center", gap: 28 }}>
          {(result === "SUCCESS" || result === "FAILURE") && <VerdictIcon verdict={result} />}
          <span style={{ fontFamily: "Newsreader", fontSize: 130, lineHeight: 1 }}>
            {result ? RESULT_LABELS[result] : "Being judged"}
          </span>
        </div>
        {/* One string: separate elements would wrap if a fallback font is used. */}
        <span style={{ fontFamily: "Newsreader", fontSize: 42, marginTop: 28, color: INK }}>
          {`${getLabel(contractorAgentAddress)} worked for ${getLabel(requesterAgentAddress)}`}
        </span>
      </div>
    </Picture>
  );
}

function VerdictIcon({ verdict }: { verdict: "SUCCESS" | "FAILURE" }) {
  const [colour, path] =
    verdict === "SUCCESS" ? ["#12694a", "M4 10.5l4 4 8-9"] : ["#a3331f", "M5 5l10 10M15 5L5 15"];
  return (
    <svg width="110" height="110" viewBox="0 0 20 20" aria-hidden="true" fill="none">
      <path d={path} stroke={colour} strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
