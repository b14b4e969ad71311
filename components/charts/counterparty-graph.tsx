import { formatAmount, formatCount, shortenHex } from "@/components/ui/format";
import { isolateText, removeBidiControls } from "@/server/lib/bidi";
import { CENTER, drawArrow, NODE, placeLabel, placeWallets } from "./graph-shapes";
import type { PackedGraph, PackedWallet } from "./packed-graph";

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
