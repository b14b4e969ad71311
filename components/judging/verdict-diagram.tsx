const DESCRIPTION =
  "Diagram of how a verdict is made. Code checks task and deliverable: if the deliverable is empty or a check proves a failure, the verdict is failure. Otherwise the work is examined twice at the same time. If both agree, that is the verdict. If not, a third examination is made and the majority decides.";

/** Draws the verdict process, if there is room. Model steps have round corners, code steps square ones. */
export function VerdictDiagram({ hasTwoModels }: { hasTwoModels: boolean }) {
  const second = hasTwoModels ? "by another model" : "by the same model";
  return (
    <figure className="max-md:hidden">
      <Diagram second={second} />
      <figcaption className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
        <LegendItem kind="model" name="model" />
        <LegendItem kind="code" name="code" />
        <LegendItem kind="given" name="input from the parties" />
      </figcaption>
    </figure>
  );
}

const STEPS = {
  task: ["given", "Task"],
  deliverable: ["given", "Deliverable"],
  checks: ["code", "Checks in code", "empty? within limits?", "quotations found?", "examples run?"],
  first: ["model", "Examination", "by one model"],
  second: ["model", "Examination"],
  agreement: ["code", "Agreement", "do two agree?"],
  third: ["model", "Third examination", "sees neither"],
} satisfies Record<string, [kind: BoxKind, name: string, ...lines: string[]]>;

function Diagram({ second }: { second: string }) {
  const steps = { ...STEPS, second: [...STEPS.second, second] as const };
  return (
    <svg viewBox="0 0 1080 294" role="img" aria-label={DESCRIPTION} className="w-full">
      <marker
        id="arrowhead"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="8"
        markerHeight="8"
        orient="auto"
      >
        <path d="M1 1l6 3-6 3" fill="none" className="stroke-muted" strokeWidth="1.2" />
      </marker>
      {Object.entries(steps).map(([step, [kind, ...lines]]) => {
        const [x, y, width] = BOXES[step as keyof typeof STEPS];
        return (
          <g key={step}>
            <rect
              x={x}
              y={y}
              width={width}
              height={lines.length * LINE + 2 * PADDING - 4}
              strokeWidth="1.5"
              {...KINDS[kind]}
            />
            {lines.map((line, index) => (
              <text
                key={line}
                x={x + width / 2}
                y={y + PADDING + 12 + index * LINE}
                textAnchor="middle"
                className={
                  index === 0 ? "fill-ink text-[16px] font-semibold" : "fill-muted text-[14px]"
                }
              >
                {line}
              </text>
            ))}
          </g>
        );
      })}
      <g fill="none" className="stroke-muted" strokeWidth="1.5">
        {ARROWS.map((d) => (
          <path key={d} d={d} markerEnd="url(#arrowhead)" />
        ))}
      </g>
      <g className="fill-muted text-[14px]">
        {NOTES.map(([text, x, y]) => (
          <text key={text} x={x} y={y}>
            {text}
          </text>
        ))}
      </g>
      <Verdict at={[964, 45]} label="SUCCESS" good />
      <Verdict at={[964, 171]} label="FAILURE" good={false} />
    </svg>
  );
}

const BOXES: Record<keyof typeof STEPS, [x: number, y: number, width: number]> = {
  task: [2, 26, 130],
  deliverable: [2, 132, 130],
  checks: [192, 49, 190],
  first: [456, 4, 190],
  second: [456, 134, 190],
  agreement: [722, 69, 180],
  third: [722, 194, 180],
};
/** SVG paths, each ending in a straight segment. */
const ARROWS = [
  "M132 49H162V84H190",
  "M132 155H162V120H190",
  "M382 84H420V37H454",
  "M382 120H420V167H454",
  "M646 37H684V92H720",
  "M646 167H684V112H720",
  "M782 135V192",
  "M842 194V137",
  "M902 102H932V39H956",
  "M902 102H932V165H956",
  "M287 155V282H1010V178",
];
const NOTES = [
  ["no", 756, 170],
  ["majority", 852, 170],
  ["yes", 908, 92],
  ["at the same time", 498, 106],
  ["proof of failure", 298, 272],
] as const;

function LegendItem({ kind, name }: { kind: BoxKind; name: string }) {
  const { rx, ...style } = KINDS[kind];
  return (
    <span className="inline-flex items-center gap-2">
      <svg viewBox="0 0 28 20" className="h-5 w-7" aria-hidden="true">
        <rect
          x="1"
          y="1"
          width="26"
          height="18"
          rx={Math.min(rx, 9)}
          strokeWidth="1.5"
          {...style}
        />
      </svg>
      {name}
    </span>
  );
}

const LINE = 20;
const PADDING = 15;

/** How boxes of steps by a model, steps by code, and inputs are drawn. */
const KINDS = {
  model: { rx: 16, className: "fill-sunken stroke-accent", strokeDasharray: undefined },
  code: { rx: 0, className: "fill-raised stroke-ink", strokeDasharray: undefined },
  given: { rx: 0, className: "fill-none stroke-muted", strokeDasharray: "5 4" },
} as const;
type BoxKind = keyof typeof KINDS;

function Verdict(props: { at: [x: number, y: number]; label: string; good: boolean }) {
  const { label, good } = props;
  const [x, y] = props.at;
  return (
    <g>
      <path
        d={good ? "M0 6l5 5 9-11" : "M1 0l11 11m0-11l-11 11"}
        transform={`translate(${x} ${y - 11})`}
        fill="none"
        className={good ? "stroke-good" : "stroke-bad"}
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <text
        x={x + 22}
        y={y}
        className={`${good ? "fill-good" : "fill-bad"} text-[17px] font-semibold`}
      >
        {label}
      </text>
    </g>
  );
}
