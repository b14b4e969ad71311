import { Fragment } from "react";

/** Renders text whose backticks mark code. */
export function InlineCode({ children }: { children: string }) {
  return children.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change.
      <code key={index} className="rounded bg-sunken px-1 py-px text-[0.9em]">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
