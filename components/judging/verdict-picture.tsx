const WHAT =
  "A picture of how a verdict is made. From the task alone, a model writes a rubric of three to eight criteria. A rule looks at the deliverable first: where nothing was delivered, the verdict is failure and no model is asked. Else three votes of a model answer each criterion with a quotation. Code checks that each quotation stands in the deliverable; where the votes differ or something required cannot be verified, two more votes are asked for. Code counts: if everything required is met by the majority, the verdict is success, else failure. It is then recorded on chain.";

/** How a verdict is made: what a model does has round corners, what code does has square ones. */
export function VerdictPicture() {
  return (
    <figure>
      <div className="hidden md:block">
        <Wide />
      </div>
      <div className="mx-auto max-w-sm md:hidden">
        <Tall />
      </div>
      <figcaption className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
        <Key rx={9} className="fill-sunken stroke-accent" name="a model answers" />
        <Key rx={0} className="fill-raised stroke-ink" name="code decides" />
        <Key rx={0} dashed className="fill-none stroke-muted" name="what the parties sent" />
      </figcaption>
    </figure>
  );
}

interface BoxProps {
  x: number;
  y: number;
  width: number;
  kind: "model" | "code" | "given";
  /** The first is the name of the step. */
  lines: string[];
}

const LINE = 20;
const PADDING = 15;
const heightOf = (lines: string[]) => lines.length * LINE + 2 * PADDING - 4;

const KINDS = {
  model: { rx: 16, className: "fill-sunken stroke-accent" },
  code: { rx: 0, className: "fill-raised stroke-ink" },
  given: { rx: 0, className: "fill-none stroke-muted" },
} as const;

function Box({ x, y, width, kind, lines }: BoxProps) {
  const { rx, className } = KINDS[kind];
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={heightOf(lines)}
        rx={rx}
        className={className}
        strokeWidth="1.5"
        strokeDasharray={kind === "given" ? "5 4" : undefined}
      />
      {lines.map((line, index) => (
        <text
          key={line}
          x={x + width / 2}
          y={y + PADDING + 12 + index * LINE}
          textAnchor="middle"
          className={index === 0 ? "fill-ink text-[16px] font-semibold" : "fill-muted text-[14px]"}
        >
          {line}
        </text>
      ))}
    </g>
  );
}

/** A line with an arrowhead at its end; `d` ends in a straight piece. */
function Arrow({ d, head }: { d: string; head: string }) {
  return (
    <path
      d={d}
      fill="none"
      className="stroke-muted"
      strokeWidth="1.5"
      markerEnd={`url(#${head})`}
    />
  );
}

function Verdict({ x, y, word, good }: { x: number; y: number; word: string; good: boolean }) {
  const tone = good ? "fill-good" : "fill-bad";
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
      <text x={x + 22} y={y} className={`${tone} text-[17px] font-semibold`}>
        {word}
      </text>
    </g>
  );
}

function Note({ x, y, children }: { x: number; y: number; children: string }) {
  return (
    <text x={x} y={y} className="fill-muted text-[14px]">
      {children}
    </text>
  );
}

function Arrowhead({ id }: { id: string }) {
  return (
    <defs>
      <marker
        id={id}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="8"
        markerHeight="8"
        orient="auto"
      >
        <path d="M1 1l6 3-6 3" fill="none" className="stroke-muted" strokeWidth="1.2" />
      </marker>
    </defs>
  );
}

const RUBRIC = ["Rubric", "3 to 8 criteria,", "from the task alone"];
const GATE = ["Gate", "is anything there?"];
const VOTES = ["Three votes", "each criterion: a quotation,", "a finding, met or not"];
const CHECK = ["Quotations checked", "no standing quotation,", "no “met”"];
const MORE = ["Two more votes", "where votes differ", "or cannot verify"];
const COUNT = ["Votes counted", "is all required met", "by the majority?"];

const WIDE_ARROWS = [
  "M140 73H188",
  "M140 263H188",
  "M370 72H400V145H428",
  "M370 263H400V175H428",
  "M645 161H693",
  "M880 161H923",
  "M830 204V310H752",
  "M655 268V185H693",
  "M1008 118V60",
  "M1008 204V345",
  "M280 296V366H948",
];

function Wide() {
  return (
    <svg viewBox="0 0 1100 400" role="img" aria-label={WHAT} className="w-full">
      <Arrowhead id="arrowhead" />
      <Box x={10} y={50} width={130} kind="given" lines={["Task"]} />
      <Box x={10} y={240} width={130} kind="given" lines={["Deliverable"]} />
      <Box x={190} y={29} width={180} kind="model" lines={RUBRIC} />
      <Box x={190} y={230} width={180} kind="code" lines={GATE} />
      <Box x={430} y={118} width={215} kind="model" lines={VOTES} />
      <Box x={695} y={118} width={185} kind="code" lines={CHECK} />
      <Box x={560} y={268} width={190} kind="model" lines={MORE} />
      <Box x={925} y={118} width={165} kind="code" lines={COUNT} />
      {WIDE_ARROWS.map((d) => (
        <Arrow key={d} d={d} head="arrowhead" />
      ))}
      <Note x={762} y={302}>
        doubt
      </Note>
      <Note x={1018} y={98}>
        yes
      </Note>
      <Note x={1018} y={240}>
        no
      </Note>
      <Verdict x={958} y={45} word="SUCCESS" good />
      <Verdict x={958} y={372} word="FAILURE" good={false} />
      <Note x={292} y={340}>
        nothing there: no model is asked
      </Note>
    </svg>
  );
}

const TALL_ARROWS = [
  "M75 54V90",
  "M275 54V100",
  "M86 178V208H140V236",
  "M250 168V208H210V236",
  "M170 324V362",
  "M90 450V492",
  "M220 450V620",
  "M150 494V452",
  "M110 708V736H84V748",
  "M230 708V736H276V748",
  "M332 168V748",
];

function Tall() {
  return (
    <svg viewBox="0 0 350 780" role="img" aria-label={WHAT} className="w-full">
      <Arrowhead id="arrowhead-tall" />
      <Box x={10} y={8} width={130} kind="given" lines={["Task"]} />
      <Box x={210} y={8} width={130} kind="given" lines={["Deliverable"]} />
      <Box x={2} y={92} width={168} kind="model" lines={RUBRIC} />
      <Box x={190} y={102} width={158} kind="code" lines={GATE} />
      <Box x={60} y={238} width={220} kind="model" lines={VOTES} />
      <Box x={75} y={364} width={190} kind="code" lines={CHECK} />
      <Box x={2} y={494} width={178} kind="model" lines={MORE} />
      <Box x={85} y={622} width={170} kind="code" lines={COUNT} />
      {TALL_ARROWS.map((d) => (
        <Arrow key={d} d={d} head="arrowhead-tall" />
      ))}
      <Note x={40} y={478}>
        doubt
      </Note>
      <Note x={60} y={726}>
        yes
      </Note>
      <Note x={262} y={726}>
        no
      </Note>
      <text
        x={312}
        y={470}
        transform="rotate(90 312 470)"
        textAnchor="middle"
        className="fill-muted text-[14px]"
      >
        nothing there: no model is asked
      </text>
      <Verdict x={32} y={768} word="SUCCESS" good />
      <Verdict x={232} y={768} word="FAILURE" good={false} />
    </svg>
  );
}

interface KeyProps {
  rx: number;
  className: string;
  name: string;
  dashed?: boolean;
}

function Key({ rx, className, name, dashed = false }: KeyProps) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg viewBox="0 0 28 20" className="h-5 w-7" aria-hidden="true">
        <rect
          x="1"
          y="1"
          width="26"
          height="18"
          rx={rx}
          className={className}
          strokeWidth="1.5"
          strokeDasharray={dashed ? "5 4" : undefined}
        />
      </svg>
      {name}
    </span>
  );
}
