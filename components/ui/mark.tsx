import type { ReactNode } from "react";
import { Icon } from "./icon";

/** Path and color. */
const MARKS = {
  yes: ["M4.5 10.5l3.5 3.5 7.5-8", "text-good"],
  no: ["M5.5 5.5l9 9m0-9l-9 9", "text-bad"],
  unclear: ["M5 10h10", "text-muted"],
} as const;
export type MarkName = keyof typeof MARKS;

/** Draws the icon of a mark, in its color. */
export const MarkIcon = ({ mark }: { mark: MarkName }) => (
  <Icon path={MARKS[mark][0]} className={`size-4.5 shrink-0 ${MARKS[mark][1]}`} strokeWidth={2.2} />
);

/** Shows by shape and word, not by color alone, whether something holds. */
export const Mark = ({ mark, children }: { mark: MarkName; children: ReactNode }) => (
  <span
    className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${MARKS[mark][1]}`}
  >
    <MarkIcon mark={mark} />
    {children}
  </span>
);
