import type { PackedGraph } from "./packed-graph";
import { roundCoordinate } from "./round-coordinate";

export interface Place {
  x: number;
  y: number;
  radius: number;
}

const RADIUS = 150;
export const NODE = 13;
export const CENTER: Place = { x: 0, y: 0, radius: 22 };
/** Distance of labels from the center. */
const LABEL = 172;

/**
 * Returns the places by position, the agent in the center. Members of the ring are side by side, so
 * that their arrows form a visible cluster.
 */
export function placeWallets(wallets: PackedGraph["wallets"]): Place[] {
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
export function placeLabel({ x, y }: Place) {
  const scale = LABEL / Math.hypot(x / 1.15, y);
  const side = Math.abs(x) < 40 ? "middle" : x > 0 ? "start" : "end";
  return { x: roundCoordinate(x * scale), y: roundCoordinate(y * scale + 4), side } as const;
}

/** Returns a curve that bends to its left, so that there and back are apart, and its head. */
export function drawArrow(from: Place, to: Place): { curve: string; head: string } {
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
    // A triangle from 6 units ahead of the end to 3 behind it.
    head: `M${at(endX + 6 * vx, endY + 6 * vy)}l${at(-9 * vx - 4.5 * vy, -9 * vy + 4.5 * vx)} ${at(9 * vy, -9 * vx)}z`,
  };
}
