import { CopyButton } from "./copy-button";

/** Shows code, which scrolls sideways if its lines are long. */
export const Code = ({ code }: { code: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
  <pre tabIndex={0} className="overflow-x-auto text-[0.8125rem] leading-relaxed">
    <code>{code}</code>
  </pre>
);

/** Shows code with a copy button. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="relative rounded-md bg-sunken max-sm:pt-9 sm:pr-20">
      <section aria-label={name} className="px-4 py-3 max-sm:pt-2">
        <Code code={code} />
      </section>
      <span className="absolute top-2.5 right-3">
        <CopyButton text={code} label={`Copy: ${name}`} />
      </span>
    </div>
  );
}

interface LineProps {
  text: string;
  /** Label of the button. */
  label?: string;
  /** Where the text leads if it is a URL. */
  href?: string;
}

/** Shows a command, URL or snippet on as many lines as it needs, with a copy button. */
export function CopyLine({ text, label = "Copy the command", href }: LineProps) {
  return (
    <div className="flex items-start gap-3 rounded-md bg-sunken px-3 py-2">
      <code className="min-w-0 flex-1 text-[0.8125rem] wrap-anywhere">
        {href ? (
          <a href={href} className="text-accent hover:underline">
            {text}
          </a>
        ) : (
          text
        )}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
