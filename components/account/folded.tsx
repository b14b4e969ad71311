import { type ReactNode, useState } from "react";

interface Props {
  title: string;
  /** Whether it is open from the start. */
  isFirstOpen?: boolean;
  children: ReactNode;
}

/** Shows `children` on demand, which are rendered, and so load their data, only while they are shown. */
export function Folded({ title, isFirstOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  return (
    <details
      open={isFirstOpen}
      // It may have been opened before it was interactive.
      ref={(element) => {
        if (element?.open) setOpen(true);
      }}
      className="text-sm"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">{title}</summary>
      {isOpen && <div className="mt-2">{children}</div>}
    </details>
  );
}
