import { CopyButton } from "@/components/ui/copy-button";

/** Code to read and to copy; it scrolls by itself where it is wide. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="relative">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        aria-label={name}
        className="overflow-x-auto rounded-md bg-sunken px-4 py-3 max-sm:pt-11 sm:pr-20"
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
