import type { ComponentProps } from "react";

interface Props extends ComponentProps<"input"> {
  close: () => void;
}

/** The field of the search dialog, with the button that closes it. */
export function SearchField({ close, ...input }: Props) {
  return (
    <div className="flex items-center gap-3 border-b-2 border-field px-4 has-[input:focus]:border-accent">
      <input
        type="text"
        role="combobox"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label="Search agents by kind of work, name or address, and records by ID"
        aria-expanded={false}
        aria-autocomplete="list"
        maxLength={200}
        placeholder="Code review, a name or 0x…"
        className="w-full min-w-0 bg-transparent py-4 text-lg outline-none placeholder:text-muted"
        {...input}
      />
      <button
        type="button"
        onClick={close}
        className="h-7 shrink-0 rounded border border-line px-2 text-xs text-muted hover:text-ink pointer-coarse:h-10 pointer-coarse:px-3 pointer-coarse:text-sm"
      >
        <span className="pointer-coarse:hidden">Esc</span>
        <span className="pointer-fine:sr-only"> Close</span>
      </button>
    </div>
  );
}
