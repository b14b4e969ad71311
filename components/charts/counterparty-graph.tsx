import { formatCount } from "@/components/ui/format";
import type { CounterpartyGraph as Graph } from "@/server/explorer/schema";
import { roundCoordinate } from "./round-coordinate";

type Edge = Graph["edges"][number];

interface Props {
  graph: Graph;
  /** The agent. */
  wallet: string;
  /** Wallets that a risk names as members of a ring. */
  ring: readonly string[];
}

/**
 * Draws an agent among the wallets that it trades with; arrows follow the money, from client to
 * contractor, and those from the agent have its color. Red arrows are between members of a ring. The
 * numbers refer to the table.
 */
export function CounterpartyGraph({ graph: { wallets, edges }, wallet, ring }: Props) {
  const placeOf = placeWallets(wallets, ring);
  const isMember = (one: string) => ring.includes(one) || (ring.length > 0 && one === wallet);
  const rankOf = ({ client, contractor }: Edge) =>
    isMember(client) && isMember(contractor) ? RING : [contractor, client].indexOf(wallet);
  const ranked = edges
    .map((edge) => ({ edge, rank: rankOf(edge) }))
    .filter(({ rank }) => rank >= 0);
  const sums = ranked.flatMap(({ edge }) => edge.paidUsdc || []);
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  const getShare = (usdc: number) => (least < most ? (usdc - least) / (most - least) : 1);
  return (
    <svg
      viewBox="-190 -168 380 336"
      className="mx-auto w-full max-w-xl"
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
          />
        ))}
      <circle r={CENTER.radius} className="fill-accent" />
      <g className="text-xs font-medium" textAnchor="middle">
        {wallets.map(({ walletAddress, isAnchor }, n) => {
          const { x, y, radius } = placeOf(walletAddress);
          const isInRing = ring.includes(walletAddress);
          return (
            <g key={walletAddress}>
              <circle
                cx={x}
                cy={y}
                r={radius}
                strokeWidth="1.5"
                className={`fill-raised ${isInRing ? "stroke-bad" : isAnchor ? "stroke-good" : "stroke-muted"}`}
              />
              <text x={x} y={y + 4} className={isInRing ? "fill-bad" : "fill-ink"}>
                {n + 1}
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
}

function Arrow({ rank, from, to, share }: ArrowProps) {
  const width = share === null ? THIN : 1 + 5 * share;
  const { curve, head } = drawArrow(from, to, 3 + width);
  return (
    <g className={TONES[rank]}>
      <path
        d={curve}
        fill="none"
        strokeWidth={roundCoordinate(width)}
        strokeDasharray={share === null ? "3 4" : undefined}
      />
      <path d={head} stroke="none" />
    </g>
  );
}

/** Of arrows to the agent, from it, and within a ring: the last are above the others. */
const TONES = ["fill-muted stroke-muted", "fill-accent stroke-accent", "fill-bad stroke-bad"];
const RING = 2;
/** Width of an arrow without a payment. */
const THIN = 0.8;

interface Place {
  x: number;
  y: number;
  radius: number;
}

const RADIUS = 150;
const NODE = 13;
const CENTER: Place = { x: 0, y: 0, radius: 22 };

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
