import { useId } from "react";
import { GLOSSARY } from "./glossary";

/** Explains a word of the glossary when it is hovered or pressed; any other is shown as it is. */
export function Term({ children }: { children: string }) {
  const id = useId();
  const meaning = GLOSSARY[children.toLowerCase()];
  if (!meaning) return children;
  return (
    <>
      <button type="button" className="term" title={meaning} popoverTarget={id}>
        {children}
      </button>
      <span id={id} popover="auto" className="term-meaning">
        {meaning}
      </span>
    </>
  );
}
