import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import { isolateText, removeBidiControls } from "@/server/lib/bidi";
import type { PackedGraph, PackedWallet } from "./packed-graph";
import { roundCoordinate } from "./round-coordinate";

type Arrow = PackedGraph["arrows"][number];

/** How many letters of a name fit beside its circle. */
const MAX_LETTERS = 18;

/**
 * Draws an agent among the wallets that it trades with; arrows follow the money, from client to
 * contractor. Red arrows are between members of a ring. The numbers refer to the table.
 */
export function CounterpartyGraph({ graph: { wallets, arrows } }: { graph: PackedGraph }) {
  const places = placeWallets(wallets);
  const isMember = (position: number) =>
    wallets.some(([, , mark], n) => mark === "ring" && (position === 0 || position === n + 1));
  const isRing = ([client, contractor]: Arrow) => isMember(client) && isMember(contractor);
  const draw = ([client, contractor]: Arrow) =>
    drawArrow(places[client] ?? CENTER, places[contractor] ?? CENTER);
  const biggest = Math.max(1, ...arrows.map(([, , , paidUsdc]) => paidUsdc));
  const groups = groupArrows(
    arrows.filter((arrow) => !isRing(arrow)),
    biggest,
  );
  return (
    <svg
      viewBox="-300 -200 600 400"
      // Phones show no labels, so the circle can fill their width.
      className="w-full max-sm:-ml-[28%] max-sm:w-[156%] max-sm:max-w-none"
      role="img"
      aria-label={`The agent and ${formatCount(wallets.length, "wallet")} that it trades with`}
    >
      {groups.map(({ isOwn, width, isPaid, members }) => {
        const shapes = members.map(draw);
        return (
          <g
            key={`${isOwn} ${width} ${isPaid}`}
            className={isOwn ? "fill-muted stroke-muted" : "stroke-line"}
          >
            <path
              d={shapes.map(({ curve }) => curve).join("")}
              fill="none"
              strokeWidth={width}
              strokeDasharray={isPaid ? undefined : "3 4"}
            />
            {isOwn && <path d={shapes.map(({ head }) => head).join("")} stroke="none" />}
          </g>
        );
      })}
      {arrows.filter(isRing).map((arrow) => {
        const { curve, head } = draw(arrow);
        return (
          <g key={`${arrow[0]} ${arrow[1]}`} className="fill-bad stroke-bad">
            <title>{describeArrow(arrow, wallets)}</title>
            <path d={curve} fill="none" strokeWidth={getWidth(arrow, biggest)} />
            <path d={head} stroke="none" />
          </g>
        );
      })}
      <circle r={CENTER.radius} className="fill-accent" />
      <g className="text-[11px]" textAnchor="middle">
        <text y="4" className="fill-accent-ink font-medium">
          Agent
        </text>
        <g className="fill-raised" strokeWidth="1.5">
          {wallets.map(([walletAddress, , mark], n) => (
            <circle
              key={walletAddress}
              cx={places[n + 1]?.x}
              cy={places[n + 1]?.y}
              r={NODE}
              className={mark ? NODE_TONES[mark] : "stroke-muted"}
            />
          ))}
        </g>
        <g className="fill-ink font-medium">
          {wallets.map(([walletAddress, , mark], n) => (
            <text
              key={walletAddress}
              x={places[n + 1]?.x}
              y={(places[n + 1]?.y ?? 0) + 4}
              className={mark === "ring" ? "fill-bad" : undefined}
            >
              {n + 1}
            </text>
          ))}
        </g>
        <g className="fill-muted max-sm:hidden">
          {wallets.map(([walletAddress, name], n) => {
            const { x, y, side } = placeLabel(places[n + 1] ?? CENTER);
            return (
              <text
                key={walletAddress}
                x={x}
                y={y}
                textAnchor={side === "middle" ? undefined : side}
              >
                {name ? shorten(name) : shortenHex(walletAddress)}
              </text>
            );
          })}
        </g>
      </g>
    </svg>
  );
}

const NODE_TONES = { ring: "stroke-bad", anchor: "stroke-good" } as const;

const OTHER_WIDTH = 0.75;

/** Returns the width of an arrow by its money, in steps of half a unit. */
const getWidth = ([, , , paidUsdc]: Arrow, biggest: number) =>
  Math.round((1 + 3 * Math.sqrt(paidUsdc / biggest)) * 2) / 2;

/** Groups arrows that look alike, so that each group is one path; those of the agent are on top. */
function groupArrows(arrows: Arrow[], biggest: number) {
  const groups = new Map<
    string,
    { isOwn: boolean; width: number; isPaid: boolean; members: Arrow[] }
  >();
  for (const arrow of arrows) {
    const isOwn = arrow[0] === 0 || arrow[1] === 0;
    const isPaid = arrow[3] > 0;
    const width = isOwn ? getWidth(arrow, biggest) : OTHER_WIDTH;
    const key = `${isOwn} ${width} ${isPaid}`;
    const group = groups.get(key) ?? { isOwn, width, isPaid, members: [] };
    group.members.push(arrow);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((a, b) => Number(a.isOwn) - Number(b.isOwn));
}

function describeArrow([client, contractor, jobs, paidUsdc]: Arrow, wallets: PackedWallet[]) {
  const nameOf = (position: number) => {
    const [walletAddress, name] = wallets[position - 1] ?? [];
    if (walletAddress === undefined) return "This agent";
    return isolateText(name || shortenHex(walletAddress));
  };
  return `${nameOf(client)} → ${nameOf(contractor)}: ${formatCount(jobs, "job")}, ${formatAmount(paidUsdc)} USDC`;
}

function shorten(name: string): string {
  const letters = [...removeBidiControls(name)];
  const isLong = letters.length > MAX_LETTERS;
  return isolateText(isLong ? `${letters.slice(0, MAX_LETTERS - 1).join("")}…` : name);
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

/**
 * Returns the places by position, the agent in the center. Members of the ring are side by side, so
 * that their arrows form a visible cluster.
 */
function placeWallets(wallets: PackedGraph["wallets"]): Place[] {
  const isMember = (position: number) => wallets[position - 1]?.[2] === "ring";
  const positions = wallets.map((_, n) => n + 1);
  const ordered = positions.toSorted((a, b) => Number(isMember(b)) - Number(isMember(a)));
  const places = [CENTER];
  for (const [n, position] of ordered.entries()) {
    const angle = (n / wallets.length) * 2 * Math.PI - Math.PI / 2;
    places[position] = {
      x: roundCoordinate(Math.cos(angle) * RADIUS * 1.15),
      y: roundCoordinate(Math.sin(angle) * RADIUS),
      radius: NODE,
    };
  }
  return places;
}

/** Returns where the label of a wallet is written: outside the circle, away from it. */
function placeLabel({ x, y }: Place) {
  const scale = LABEL / Math.hypot(x / 1.15, y);
  const side = Math.abs(x) < 40 ? "middle" : x > 0 ? "start" : "end";
  return { x: roundCoordinate(x * scale), y: roundCoordinate(y * scale + 4), side } as const;
}

/** Returns a curve that bends to its left, so that there and back are apart, and its head. */
function drawArrow(from: Place, to: Place): { curve: string; head: string } {
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
  const end = Math.hypot(endX - middleX, endY - middleY) || 1;
  const [vx, vy] = [(endX - middleX) / end, (endY - middleY) / end];
  const at = (...numbers: number[]) => numbers.map(roundCoordinate).join(" ");
  return {
    curve: `M${at(startX, startY)}Q${at(middleX, middleY, endX, endY)}`,
    // A triangle from 6 ahead of the end to 3 behind it.
    head: `M${at(endX + 6 * vx, endY + 6 * vy)}l${at(-9 * vx - 4.5 * vy, -9 * vy + 4.5 * vx)} ${at(9 * vy, -9 * vx)}z`,
  };
}
