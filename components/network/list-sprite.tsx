import { RESULT_SHAPES } from "@/components/outcomes/result";

const PATHS = {
  ...RESULT_SHAPES,
  pending: "M10 3a7 7 0 110 14 7 7 0 010-14z",
  anchored:
    "M10 8.3v8.7M5.5 11.5c0 3.2 2 5.5 4.5 5.5s4.5-2.3 4.5-5.5M10 3a2.6 2.6 0 100 5.3A2.6 2.6 0 0010 3z",
  paid: "M10 2.3a7.7 7.7 0 100 15.4 7.7 7.7 0 000-15.4zM10 6v8M7 10h6",
  claimed: "M3.7 10h2.8M8.6 10h2.8M13.5 10h2.8",
  open: "M10 4.5v5.5l3.5 2M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15z",
  upheld: "M5 8h10M5 12.5h10",
  overturned: "M4 7.5h11m-3-3l3 3-3 3M16 13H5m3-3l-3 3 3 3",
  to: "M4 10h11m-4-4l4 4-4 4",
} as const;

type ListIcon = keyof typeof PATHS;

/** The icons of a list of outcomes. */
export const OUTCOME_ICONS = [
  "SUCCESS",
  "FAILURE",
  "NOT_ASSESSED",
  "SUPERSEDED",
  "pending",
  "anchored",
  "paid",
  "claimed",
] as const;

/** Icons that rows of lists refer to by id, so that each is sent once. */
export function ListSprite({ icons }: { icons: readonly ListIcon[] }) {
  return (
    <svg className="absolute size-0" aria-hidden="true">
      {icons.map((icon) => (
        <symbol
          key={icon}
          id={icon}
          viewBox="0 0 20 20"
          fill="none"
          stroke="currentColor"
          strokeWidth={icon === "SUCCESS" || icon === "FAILURE" ? 2.2 : 1.7}
          strokeLinecap="round"
          strokeLinejoin="round"
          strokeDasharray={icon === "pending" ? "3 3" : undefined}
        >
          <path d={PATHS[icon]} />
        </symbol>
      ))}
    </svg>
  );
}
