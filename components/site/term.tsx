import { useId } from "react";
import { GLOSSARY } from "./glossary";

interface Props {
  children: string;
  /** Entry of the glossary, if the text is shorter. */
  entry?: string;
}

/** Explains a word of the glossary when it is hovered or pressed; any other is shown as it is. */
export function Term({ children, entry = children }: Props) {
  const id = useId();
  const meaning = GLOSSARY[entry.toLowerCase()];
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
