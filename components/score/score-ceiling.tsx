import { formatScore } from "@/components/ui/format";
import { CEILINGS, TIER_STARTS } from "@/server/reputation/policy";

/** Draws which part of the scale is out of reach without known clients. */
export function ScoreCeiling() {
  const ceiling = CEILINGS.withoutAnchor;
  return (
    <figure className="max-w-3xl">
      <div className="flex h-11 gap-0.5 text-sm font-medium">
        <div
          className="flex items-center rounded-l-md bg-sunken px-3"
          style={{ width: `${ceiling}%` }}
        >
          Any clients, up to {formatScore(ceiling)}
        </div>
        <div className="flex flex-1 items-center justify-center rounded-r-md bg-accent px-2 text-accent-ink">
          <span className="sm:hidden">Known</span>
          <span className="max-sm:hidden">Known clients</span>
        </div>
      </div>
      <div className="relative mt-1 h-9 text-xs text-muted max-sm:text-[0.6875rem]">
        {TIER_STARTS.map(([score, name]) => (
          <span
            key={name}
            className="absolute -translate-x-1/2 text-center leading-4"
            style={{ left: `${score}%` }}
          >
            {score} <span className="block">{name}</span>
          </span>
        ))}
      </div>
    </figure>
  );
}
