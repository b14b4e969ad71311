import { EVIDENCE_FROM, EVIDENCE_LABELS } from "@/server/reputation/policy";

const MODERATE = EVIDENCE_FROM.moderate * 100;
const STRONG = EVIDENCE_FROM.strong * 100;
/** Name, range of the confidence, and the width and opacity of its part of the scale. */
const LEVELS = [
  [EVIDENCE_LABELS.limited, `under ${MODERATE}%`, MODERATE, 0.3],
  [EVIDENCE_LABELS.moderate, `from ${MODERATE}%`, STRONG - MODERATE, 0.6],
  [EVIDENCE_LABELS.strong, `from ${STRONG}%`, 100 - STRONG, 1],
] as const;

/** Draws the levels of evidence on the scale of confidence. */
export function EvidenceLevels() {
  return (
    <ul className="flex gap-1">
      {LEVELS.map(([name, range, share, opacity]) => (
        <li key={name} style={{ width: `${share}%` }}>
          <span className="block h-3 rounded-sm bg-accent" style={{ opacity }} aria-hidden="true" />
          <span className="mt-1.5 block text-sm font-medium">{name}</span>
          <span className="block text-sm text-muted">{range}</span>
        </li>
      ))}
    </ul>
  );
}
