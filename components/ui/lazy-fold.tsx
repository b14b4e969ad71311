import { type ReactNode, useState } from "react";
import { Fold } from "./fold";

interface Props {
  title: string;
  /** Whether it is open from the start. */
  isFirstOpen?: boolean;
  className?: string;
  children: ReactNode;
}

/** Shows `children` on demand, which are rendered, and so load their data, only while they are shown. */
export function LazyFold({ title, isFirstOpen = false, className = "text-sm", children }: Props) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  return (
    <Fold
      summary={title}
      open={isFirstOpen}
      // It may have been opened before it was interactive.
      ref={(element) => {
        if (element?.open) setOpen(true);
      }}
      className={className}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      {isOpen && children}
    </Fold>
  );
}
