/** Icons that rows refer to by id, so that each is sent once. */
export function LeaderboardSprite() {
  return (
    <svg className="absolute size-0" aria-hidden="true">
      <symbol id="danger" viewBox="0 0 16 16" fill="currentColor">
        <path
          fillRule="evenodd"
          d="M8 1.2 15.4 14.4H.6zM7.1 5.8l.3 4.2h1.2l.3-4.2zM8 11a.9.9 0 1 0 0 1.8.9.9 0 0 0 0-1.8z"
        />
      </symbol>
      <symbol id="caution" viewBox="0 0 16 16" {...LINE}>
        <path d="M8 1l7 7-7 7-7-7zM8 5v3.6M8 10.4v.6" />
      </symbol>
      <symbol id="verified" viewBox="0 0 16 16" {...LINE}>
        <path d="M8 1.2l5.6 2.1v4.3c0 3.4-2.3 6-5.6 7.2-3.3-1.2-5.6-3.8-5.6-7.2V3.3zM5.4 8l1.9 1.9 3.4-3.8" />
      </symbol>
    </svg>
  );
}

const LINE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.4,
  strokeLinejoin: "round",
} as const;

/** Draws an icon of the sprite; without a label the text beside it carries the meaning. */
export function SpriteIcon({ id, label }: { id: string; label?: string }) {
  const use = <use href={`#${id}`} />;
  if (!label) return <svg aria-hidden="true">{use}</svg>;
  return (
    <svg role="img" aria-label={label}>
      {use}
    </svg>
  );
}
