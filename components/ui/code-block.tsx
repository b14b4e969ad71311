import { CopyButton } from "./copy-button";

/** Shows code with a copy button; long lines wrap. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="relative rounded-md bg-sunken max-sm:pt-9 sm:pr-20">
      <section aria-label={name} className="px-4 py-3 max-sm:pt-2">
        <pre className="text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap">
          <code>{code}</code>
        </pre>
      </section>
      <span className="absolute top-2.5 right-3">
        <CopyButton text={code} label={`Copy: ${name}`} />
      </span>
    </div>
  );
}
