const TRIANGLE = "M10 3l7.5 13.5h-15zM10 8.2v4M10 14.3v.1";
const CIRCLE = "M10 2.8a7.2 7.2 0 100 14.4 7.2 7.2 0 000-14.4z";

/** Color and shape of each level; the words say the same. */
export const RISK_LEVELS = {
  danger: { box: "bg-bad/10", text: "text-bad", path: TRIANGLE },
  caution: { box: "bg-notice", text: "text-notice-ink", path: `${CIRCLE}M10 6.5v4.5M10 13.5v.1` },
  notice: { box: "bg-sunken", text: "text-muted", path: `${CIRCLE}M10 9v4.5M10 6.5v.1` },
  good: { box: "bg-good/10", text: "text-good", path: `${CIRCLE}M6.8 10.2l2.3 2.3 4.2-4.7` },
} as const;
