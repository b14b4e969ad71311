import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import type { CounterpartyGraph as Graph } from "@/server/explorer/schema";
import { isolateText, removeBidiControls } from "@/server/lib/bidi";
import { roundCoordinate } from "./round-coordinate";

type Edge = Graph["edges"][number];

interface Props {
  graph: Graph;
  /** The agent. */
  wallet: string;
  name: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/**
 * Draws an agent among the wallets that it trades with; arrows follow the money, from client to
 * contractor, and those from the agent have its color. Red arrows are between members of a ring. The
 * numbers refer to the table.
 */
export function CounterpartyGraph({ graph: { wallets, edges }, wallet, name: own, ring }: Props) {
  const placeOf = placeWallets(wallets, ring);
  const isMember = (one: string) => ring.includes(one) || (ring.length > 0 && one === wallet);
  const rankOf = ({ client, contractor }: Edge) =>
    isMember(client) && isMember(contractor) ? RING : [contractor, client].indexOf(wallet) + 1;
  const ranked = edges.map((edge) => ({ edge, rank: rankOf(edge) }));
  const sums = ranked.flatMap(({ edge, rank }) => (rank > 0 && edge.paidUsdc) || []);
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  const getShare = (usdc: number) => (least < most ? (usdc - least) / (most - least) : 1);
  return (
    <svg
      viewBox="-320 -200 640 400"
      // Phones show no labels, so the circle can fill their width.
      className="w-full max-sm:-ml-[33%] max-sm:w-[166%] max-sm:max-w-none"
      role="img"
      aria-label={`The agent and ${formatCount(wallets.length, "wallet")} that it trades with`}
    >
      {ranked
        .sort((a, b) => a.rank - b.rank)
        .map(({ edge, rank }) => (
          <Arrow
            key={edge.client + edge.contractor}
            rank={rank}
            from={placeOf(edge.client)}
            to={placeOf(edge.contractor)}
            share={edge.paidUsdc > 0 ? getShare(edge.paidUsdc) : null}
            title={rank === RING ? describeEdge(edge, wallets) : null}
          />
        ))}
      <circle r={CENTER.radius} className="fill-accent" />
      <g className="text-[11px]" textAnchor="middle">
        {/* Its outline separates it from the arrows. */}
        <text y="38" className="fill-ink stroke-raised stroke-4 font-medium [paint-order:stroke]">
          {isolateText(own)}
        </text>
        {wallets.map(({ walletAddress, name, isAnchor }, n) => {
          const place = placeOf(walletAddress);
          const { side, ...label } = placeLabel(place);
          const isInRing = ring.includes(walletAddress);
          return (
            <g key={walletAddress} className="font-medium">
              <circle
                cx={place.x}
                cy={place.y}
                r={NODE}
                strokeWidth="1.5"
                className={`fill-raised ${isInRing ? "stroke-bad" : isAnchor ? "stroke-good" : "stroke-muted"}`}
              />
              <text x={place.x} y={place.y + 4} className={isInRing ? "fill-bad" : "fill-ink"}>
                {n + 1}
              </text>
              <text {...label} textAnchor={side} className="fill-muted font-normal max-sm:hidden">
                {wrap(name ?? shortenHex(walletAddress)).map((line, at) => (
                  <tspan key={line} x={label.x} dy={at * LINE}>
                    {line}
                  </tspan>
                ))}
              </text>
            </g>
          );
        })}
      </g>
    </svg>
  );
}

interface ArrowProps {
  /** Position in `TONES`. */
  rank: number;
  from: Place;
  to: Place;
  /** How much it carries, from the smallest payment of the agent to the largest; null without a payment. */
  share: number | null;
  title: string | null;
}

function Arrow({ rank, from, to, share, title }: ArrowProps) {
  const width = rank === 0 || share === null ? THIN : 1 + 5 * share;
  const { curve, head } = drawArrow(from, to, 3 + width);
  return (
    <g className={TONES[rank]}>
      {title && <title>{title}</title>}
      <path
        d={curve}
        fill="none"
        strokeWidth={roundCoordinate(width)}
        strokeDasharray={share === null ? "3 4" : undefined}
      />
      {rank > 0 && <path d={head} stroke="none" />}
    </g>
  );
}

/** Of arrows between others, to the agent, from the agent, and within a ring: the last are above the others. */
const TONES = [
  "stroke-line",
  "fill-muted stroke-muted",
  "fill-accent stroke-accent",
  "fill-bad stroke-bad",
];
const RING = 3;
/** Width of an arrow without a payment, or between others. */
const THIN = 0.8;

function describeEdge({ client, contractor, jobs, paidUsdc }: Edge, wallets: Graph["wallets"]) {
  const nameOf = (one: string) => {
    const found = wallets.find(({ walletAddress }) => walletAddress === one);
    return found ? isolateText(found.name ?? shortenHex(one)) : "This agent";
  };
  return `${nameOf(client)} → ${nameOf(contractor)}: ${formatCount(jobs, "job")}, ${formatAmount(paidUsdc)} USDC`;
}

/** How many letters of a name fit beside its circle, and the height of a line of them. */
const MAX_LETTERS = 18;
const LINE = 12;

/** Breaks a long name into two lines, each cut if it is still too long: the table has the whole name. */
function wrap(name: string): string[] {
  const letters = [...removeBidiControls(name)];
  const space = letters.length > MAX_LETTERS ? letters.lastIndexOf(" ", MAX_LETTERS) : 0;
  const lines = space > 0 ? [letters.slice(0, space), letters.slice(space + 1)] : [letters];
  const cut = (line: string[]) => [...line.slice(0, MAX_LETTERS - 1), "…"];
  return lines.map((line) => isolateText((line.length > MAX_LETTERS ? cut(line) : line).join("")));
}

interface Place {
  x: number;
  y: number;
  radius: number;
}

const RADIUS = 150;
const NODE = 13;
const CENTER: Place = { x: 0, y: 0, radius: 22 };
/** Distance of labels from the center. */
const LABEL = 172;

/** Returns where each wallet is: in the center the agent, and around it the others. Members of the ring are side by side, so that their arrows form a cluster. */
function placeWallets(wallets: Graph["wallets"], ring: readonly string[]) {
  const addresses = wallets.map(({ walletAddress }) => walletAddress);
  const ordered = addresses.toSorted((a, b) => Number(ring.includes(b)) - Number(ring.includes(a)));
  const places = new Map(
    ordered.map((address, n) => {
      const angle = (n / ordered.length) * 2 * Math.PI - Math.PI / 2;
      const x = roundCoordinate(Math.cos(angle) * RADIUS * 1.15);
      return [address, { x, y: roundCoordinate(Math.sin(angle) * RADIUS), radius: NODE }];
    }),
  );
  return (address: string): Place => places.get(address) ?? CENTER;
}

/** Returns where the label of a wallet is written: outside the circle, away from it. */
function placeLabel({ x, y }: Place) {
  const scale = LABEL / Math.hypot(x / 1.15, y);
  const side = Math.abs(x) < 40 ? "middle" : x > 0 ? "start" : "end";
  return { x: roundCoordinate(x * scale), y: roundCoordinate(y * scale + 4), side } as const;
}

/** Returns a curve that bends to its left, so that there and back are apart, and its head, as long as it is wide. */
function drawArrow(from: Place, to: Place, half: number): { curve: string; head: string } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  // An arrow between others that would cross the agent passes beside it.
  const centerDistance = Math.abs(from.x * uy - from.y * ux);
  const isCrossing = from !== CENTER && to !== CENTER && centerDistance < 3 * CENTER.radius;
  const bend = isCrossing ? 3.5 * CENTER.radius : Math.min(18, length / 8);
  const [startX, startY] = [from.x + ux * from.radius, from.y + uy * from.radius];
  const gap = to.radius + 1 + 1.5 * half;
  const [endX, endY] = [to.x - ux * gap, to.y - uy * gap];
  const [middleX, middleY] = [(startX + endX) / 2 + uy * bend, (startY + endY) / 2 - ux * bend];
  const end = Math.hypot(endX - middleX, endY - middleY) || 1;
  const [vx, vy] = [(endX - middleX) / end, (endY - middleY) / end];
  const at = (...numbers: number[]) => numbers.map(roundCoordinate).join(" ");
  return {
    curve: `M${at(startX, startY)}Q${at(middleX, middleY, endX, endY)}`,
    head: `M${at(endX + 1.5 * half * vx, endY + 1.5 * half * vy)}l${at(half * (-2 * vx - vy), half * (vx - 2 * vy))} ${at(2 * half * vy, -2 * half * vx)}z`,
  };
}
