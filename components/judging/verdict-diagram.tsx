const DESCRIPTION =
  "Diagram of how a verdict is made. If the deliverable is empty, the verdict is failure and no model is called. Otherwise a model drafts a rubric of three to eight criteria twice, from the task alone. Code checks what it can; if that proves a failure, the verdict is failure. Three votes, one of them by a refuter, assess the other criteria, each with quotes. Code verifies that the quotes are in the deliverable, and one call that sees nothing else confirms them; if votes differ or a required criterion can't be verified, a second round of three votes decides. Code counts the votes: if the majority finds every required criterion met, the verdict is success, else failure. It is then recorded on chain.";

/** Draws the verdict process. Model steps have round corners, code steps square ones. */
export function VerdictDiagram() {
  return (
    <figure>
      <div className="hidden md:block">
        <Diagram {...WIDE} />
      </div>
      <div className="mx-auto max-w-sm md:hidden">
        <Diagram {...TALL} />
      </div>
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
  rubric: ["model", "Rubric", "two blind drafts,", "3 to 8 criteria"],
  preCheck: ["code", "Pre-check", "anything delivered?"],
  checks: ["code", "Checks in code", "they count, recalculate", "and run the work"],
  votes: ["model", "Three votes", "with quotes,", "one by a refuter"],
  quotes: ["code", "Quotes checked", "found in the work", "and confirmed apart"],
  more: ["model", "Second round", "three more votes,", "which decide"],
  count: ["code", "Votes counted", "all required", "criteria met?"],
} satisfies Record<string, [kind: BoxKind, name: string, ...lines: string[]]>;

interface Layout {
  /** Width and height. */
  size: [number, number];
  arrowhead: string;
  boxes: Record<keyof typeof STEPS, [x: number, y: number, width: number]>;
  /** SVG paths, each ending in a straight segment. */
  arrows: string[];
  notes: [text: string, x: number, y: number][];
  success: [x: number, y: number];
  failure: [x: number, y: number];
}

function Diagram({ size, arrowhead, boxes, arrows, notes, success, failure }: Layout) {
  return (
    <svg viewBox={`0 0 ${size.join(" ")}`} role="img" aria-label={DESCRIPTION} className="w-full">
      <marker
        id={arrowhead}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="8"
        markerHeight="8"
        orient="auto"
      >
        <path d="M1 1l6 3-6 3" fill="none" className="stroke-muted" strokeWidth="1.2" />
      </marker>
      {Object.entries(STEPS).map(([step, [kind, ...lines]]) => {
        const [x, y, width] = boxes[step as keyof typeof STEPS];
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
        {arrows.map((d) => (
          <path key={d} d={d} markerEnd={`url(#${arrowhead})`} />
        ))}
      </g>
      <g className="fill-muted text-[14px]">
        {notes.map(([text, x, y]) => (
          <text key={text} x={x} y={y}>
            {text}
          </text>
        ))}
      </g>
      <Verdict at={success} label="SUCCESS" good />
      <Verdict at={failure} label="FAILURE" good={false} />
    </svg>
  );
}

const WIDE: Layout = {
  size: [1180, 400],
  arrowhead: "arrowhead",
  boxes: {
    task: [2, 50, 116],
    deliverable: [2, 240, 116],
    rubric: [164, 29, 160],
    preCheck: [164, 230, 160],
    checks: [380, 118, 190],
    votes: [618, 118, 150],
    quotes: [820, 118, 155],
    more: [632, 268, 170],
    count: [1023, 118, 150],
  },
  arrows: [
    "M118 73H162",
    "M118 263H162",
    "M324 72H352V145H378",
    "M324 263H352V175H378",
    "M570 161H616",
    "M768 161H818",
    "M975 161H1021",
    "M920 204V311H804",
    "M786 268V185H818",
    "M1098 118V60",
    "M1098 204V345",
    "M244 296V366H1040",
    "M475 204V364",
  ],
  notes: [
    ["doubt", 826, 303],
    ["yes", 1108, 98],
    ["no", 1108, 240],
    ["empty: no model call", 256, 340],
    ["proof of", 487, 296],
    ["failure", 487, 316],
  ],
  success: [1050, 45],
  failure: [1050, 372],
};

const TALL: Layout = {
  size: [350, 906],
  arrowhead: "arrowhead-tall",
  boxes: {
    task: [10, 8, 130],
    deliverable: [210, 8, 130],
    rubric: [2, 92, 168],
    preCheck: [190, 102, 158],
    checks: [69, 238, 202],
    votes: [69, 364, 202],
    quotes: [69, 490, 202],
    more: [2, 620, 168],
    count: [86, 748, 170],
  },
  arrows: [
    "M75 54V90",
    "M275 54V100",
    "M86 178V208H140V236",
    "M250 168V208H210V236",
    "M170 324V362",
    "M170 450V488",
    "M90 576V618",
    "M220 576V746",
    "M150 620V578",
    "M110 834V862H84V874",
    "M230 834V862H276V874",
    "M332 168V874",
    "M270 281H330",
  ],
  notes: [
    ["doubt", 40, 604],
    ["yes", 60, 852],
    ["no", 262, 852],
    ["proof", 284, 273],
    ["empty", 286, 206],
  ],
  success: [32, 894],
  failure: [232, 894],
};

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
