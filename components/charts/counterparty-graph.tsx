import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import type { CounterpartyGraph as Graph } from "@/server/explorer/schema";
import { isolateText, removeBidiControls } from "@/server/lib/bidi";
import { roundCoordinate } from "./round-coordinate";

interface Props {
  graph: Graph;
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

type Edge = Graph["edges"][number];
interface Place {
  x: number;
  y: number;
  radius: number;
}

const RADIUS = 150;
const NODE = 13;
const CENTER: Place = { x: 0, y: 0, radius: 22 };
/** Distance of labels from the center, and how many letters of a name fit. */
const LABEL = 172;
const MAX_LETTERS = 18;

/**
 * Draws an agent among the wallets that it trades with; arrows follow the money, from client to
 * contractor. Red arrows are between members of a ring. The numbers refer to the table.
 */
export function CounterpartyGraph({ graph: { wallets, edges }, wallet, ring }: Props) {
  const members = new Set(ring.length > 0 ? [wallet, ...ring] : []);
  const places = new Map<string, Place>([[wallet, CENTER]]);
  for (const [n, { walletAddress }] of sortByMembership(wallets, members).entries()) {
    places.set(walletAddress, placeOnCircle(n, wallets.length));
  }
  const biggest = Math.max(1, ...edges.map(({ paidUsdc }) => paidUsdc));
  // Arrows between others first, so that those of the agent are above them.
  const isOwn = ({ client, contractor }: Edge) => client === wallet || contractor === wallet;
  const ordered = edges.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)));
  return (
    <svg
      viewBox="-300 -200 600 400"
      // Phones show no labels, so the circle can fill their width.
      className="w-full max-sm:-ml-[28%] max-sm:w-[156%] max-sm:max-w-none"
      role="img"
      aria-label={`The agent and ${formatCount(wallets.length, "wallet")} that it trades with`}
    >
      {ordered.map((edge) => {
        const [from, to] = [places.get(edge.client), places.get(edge.contractor)];
        if (!from || !to) return null;
        const isRing = members.has(edge.client) && members.has(edge.contractor);
        return (
          <Arrow
            key={edge.client + edge.contractor}
            from={from}
            to={to}
            width={isRing || isOwn(edge) ? 1 + 3 * Math.sqrt(edge.paidUsdc / biggest) : 0.75}
            tone={isRing ? "ring" : isOwn(edge) ? "own" : "other"}
            isPaid={edge.paidUsdc > 0}
            title={describeEdge(edge, wallets)}
          />
        );
      })}
      <circle r={CENTER.radius} className="fill-accent" />
      <text y="4" textAnchor="middle" className="fill-accent-ink text-[11px] font-medium">
        Agent
      </text>
      {wallets.map((own, n) => {
        const place = places.get(own.walletAddress);
        return (
          place && (
            <Node
              key={own.walletAddress}
              number={n + 1}
              place={place}
              label={own.name === null ? shortenHex(own.walletAddress) : shorten(own.name)}
              isAnchor={own.isAnchor}
              isMember={members.has(own.walletAddress)}
            />
          )
        );
      })}
    </svg>
  );
}

const TONES = {
  ring: "stroke-bad fill-bad",
  own: "stroke-muted fill-muted",
  other: "stroke-line",
} as const;

interface ArrowProps {
  from: Place;
  to: Place;
  width: number;
  tone: keyof typeof TONES;
  isPaid: boolean;
  title: string;
}

/** Draws a curve that bends to its left, so that there and back are apart. */
function Arrow({ from, to, width, tone, isPaid, title }: ArrowProps) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  // An arrow between others that would cross the agent passes beside it.
  const centerDistance = Math.abs(from.x * uy - from.y * ux);
  const isCrossing = from !== CENTER && to !== CENTER && centerDistance < 3 * CENTER.radius;
  const bend = isCrossing ? 3.5 * CENTER.radius : Math.min(18, length / 8);
  const [startX, startY] = [from.x + ux * from.radius, from.y + uy * from.radius];
  const gap = to.radius + 5;
  const [endX, endY] = [to.x - ux * gap, to.y - uy * gap];
  const [middleX, middleY] = [(startX + endX) / 2 + uy * bend, (startY + endY) / 2 - ux * bend];
  const angle = (Math.atan2(endY - middleY, endX - middleX) * 180) / Math.PI;
  const at = [startX, startY, middleX, middleY, endX, endY].map(roundCoordinate);
  return (
    <g className={TONES[tone]}>
      <title>{title}</title>
      <path
        d={`M${at[0]} ${at[1]}Q${at[2]} ${at[3]} ${at[4]} ${at[5]}`}
        fill="none"
        strokeWidth={roundCoordinate(width)}
        strokeDasharray={isPaid ? undefined : "3 4"}
      />
      {tone !== "other" && (
        <path
          d="M6 0L-3-4.5V4.5z"
          stroke="none"
          transform={`translate(${at[4]} ${at[5]}) rotate(${roundCoordinate(angle)})`}
        />
      )}
    </g>
  );
}

interface NodeProps {
  number: number;
  place: Place;
  label: string;
  isAnchor: boolean;
  isMember: boolean;
}

function Node({ number, place: { x, y }, label, isAnchor, isMember }: NodeProps) {
  const scale = LABEL / Math.hypot(x / 1.15, y);
  const side = Math.abs(x) < 40 ? "middle" : x > 0 ? "start" : "end";
  return (
    <g>
      <circle
        cx={x}
        cy={y}
        r={NODE}
        strokeWidth="1.5"
        className={`fill-raised ${isMember ? "stroke-bad" : isAnchor ? "stroke-good" : "stroke-muted"}`}
      />
      <text
        x={x}
        y={y + 4}
        textAnchor="middle"
        className={`text-[11px] font-medium ${isMember ? "fill-bad" : "fill-ink"}`}
      >
        {number}
      </text>
      <text
        x={roundCoordinate(x * scale)}
        y={roundCoordinate(y * scale + 4)}
        textAnchor={side}
        className="fill-muted text-[11px] max-sm:hidden"
      >
        {label}
      </text>
    </g>
  );
}

/** Places members of the ring side by side, so that their arrows form a visible cluster. */
const sortByMembership = (wallets: Graph["wallets"], members: ReadonlySet<string>) =>
  wallets.toSorted(
    (a, b) => Number(members.has(b.walletAddress)) - Number(members.has(a.walletAddress)),
  );

function placeOnCircle(n: number, count: number): Place {
  const angle = (n / count) * 2 * Math.PI - Math.PI / 2;
  return {
    x: roundCoordinate(Math.cos(angle) * RADIUS * 1.15),
    y: roundCoordinate(Math.sin(angle) * RADIUS),
    radius: NODE,
  };
}

function describeEdge({ client, contractor, jobs, paidUsdc }: Edge, wallets: Graph["wallets"]) {
  const nameOf = (wallet: string) =>
    isolateText(
      wallets.find(({ walletAddress }) => walletAddress === wallet)?.name ?? shortenHex(wallet),
    );
  return `${nameOf(client)} → ${nameOf(contractor)}: ${formatCount(jobs, "job")}, ${formatAmount(paidUsdc)} USDC`;
}

function shorten(name: string): string {
  const letters = [...removeBidiControls(name)];
  const isLong = letters.length > MAX_LETTERS;
  return isolateText(isLong ? `${letters.slice(0, MAX_LETTERS - 1).join("")}…` : name);
}
