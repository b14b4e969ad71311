import { formatUsdc, shortenHex } from "@/components/ui/format";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { drawable, INK, MUTED, Picture } from "./picture";

interface Props {
  outcome: PublicOutcome;
  /** Names of those that are registered. */
  contractor?: string | undefined;
  requester?: string | undefined;
}

const WORDS = { SUCCESS: "Success", FAILURE: "Failure" } as const;

/** How an outcome ended and between whom, as other sites show a link to its page. */
export function OutcomePicture({ outcome, contractor = "", requester = "" }: Props) {
  const { finalVerdict, contractorAgentAddress, requesterAgentAddress, taskCategory } = outcome;
  const worker = drawable(contractor, 30) || shortenHex(contractorAgentAddress);
  const asker = drawable(requester, 30) || shortenHex(requesterAgentAddress);
  return (
    <Picture
      foot={`${taskCategory} · ${formatUsdc(outcome.valueUsdc)}${finalVerdict ? " · recorded on chain" : ""}`}
    >
      <div style={{ display: "flex", flexDirection: "column" }}>
        <div style={{ display: "flex", alignItems: "center", gap: 28 }}>
          {finalVerdict && <Sign verdict={finalVerdict} />}
          <span style={{ fontFamily: "Newsreader", fontSize: 130, lineHeight: 1 }}>
            {finalVerdict ? WORDS[finalVerdict] : "Being judged"}
          </span>
        </div>
        <span style={{ fontSize: 42, marginTop: 28, color: INK }}>
          {worker} <span style={{ color: MUTED, margin: "0 12px" }}>worked for</span> {asker}
        </span>
      </div>
    </Picture>
  );
}

function Sign({ verdict }: { verdict: "SUCCESS" | "FAILURE" }) {
  const [colour, path] =
    verdict === "SUCCESS" ? ["#12694a", "M4 10.5l4 4 8-9"] : ["#a3331f", "M5 5l10 10M15 5L5 15"];
  return (
    <svg width="110" height="110" viewBox="0 0 20 20" aria-hidden="true" fill="none">
      <path d={path} stroke={colour} strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
