import { describeState } from "@/components/disputes/describe-dispute";
import { formatUsdc, withArticle } from "@/components/ui/format";
import type { Dispute } from "@/server/disputes/schema";
import type { Names } from "@/server/explorer/schema";
import { nameParty, Picture } from "./picture";

interface Props {
  dispute: Dispute;
  /** Names of the registered parties. */
  names: Names;
  hasGlyph: (letter: number) => boolean;
}

/** Draws the preview of a link to a dispute: its state, and the parties. */
export function DisputePicture({ dispute, names, hasGlyph }: Props) {
  const contractor = nameParty(dispute.contractorAgentAddress, names, hasGlyph);
  const client = nameParty(dispute.requesterAgentAddress, names, hasGlyph);
  return (
    <Picture
      footer={`Dispute · stake ${formatUsdc(Number(dispute.stakeUsdc))}${dispute.simulated ? " · simulated" : ""}`}
    >
      <div style={{ display: "flex", flexDirection: "column" }}>
        <span style={{ fontFamily: "Newsreader", fontSize: 84, lineHeight: 1.1 }}>
          {`Dispute about ${withArticle(dispute.taskCategory)} job: ${describeState(dispute)}`}
        </span>
        <span style={{ fontFamily: "Newsreader", fontSize: 42, marginTop: 28 }}>
          {`${contractor} worked for ${client}`}
        </span>
      </div>
    </Picture>
  );
}
