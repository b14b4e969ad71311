import { CopyButton } from "./copy-button";

/** Shows code with a copy button; wide code scrolls inside the block. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="relative rounded-md bg-sunken max-sm:pt-9 sm:pr-20">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
        tabIndex={0}
        aria-label={name}
        className="overflow-x-auto rounded-md px-4 py-3 max-sm:pt-2"
      >
        <pre className="text-[0.8125rem] leading-relaxed">
          <code>{code}</code>
        </pre>
      </section>
      <span className="absolute top-2.5 right-3">
        <CopyButton text={code} label={`Copy: ${name}`} />
      </span>
    </div>
  );
}
