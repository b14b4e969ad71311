import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  title: string;
  code: string;
  /** Names the code for screen readers. */
  name: string;
}

/** Shows code with its title and a copy button above; long lines wrap. */
export function CodeExample({ title, code, name }: Props) {
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between">
        <h2 className="text-base font-semibold">{title}</h2>
        <CopyButton text={code} label={`Copy: ${name}`} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
        tabIndex={0}
        aria-label={name}
        className="max-h-[26rem] overflow-y-auto rounded-md bg-sunken px-4 py-3"
      >
        <pre className="text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap">
          <code>{code}</code>
        </pre>
      </section>
    </div>
  );
}
