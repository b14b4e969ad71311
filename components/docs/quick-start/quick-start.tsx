import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { getQuickStartSteps, LANGUAGES, type Language } from "./quick-start-steps";

interface Props {
  /** Base URL of this service, without a trailing slash. */
  url: string;
  language: Language;
}

/** Renders the quick start: runnable code from registration to reputation. */
export function QuickStart({ url, language }: Props) {
  const steps = getQuickStartSteps(url, language);
  return (
    <>
      <nav aria-label="Language" className="flex gap-1 border-b border-line">
        {Object.entries(LANGUAGES).map(([id, name]) => (
          <Link
            key={id}
            href={`/docs?lang=${id}`}
            scroll={false}
            aria-current={id === language ? "true" : undefined}
            className="-mb-px border-b-2 border-transparent px-4 py-2 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink"
          >
            {name}
          </Link>
        ))}
      </nav>
      <ol className="mt-6 grid gap-7">
        {steps.map(({ title, note, code }, index) => (
          <li key={title} className="grid min-w-0 grid-cols-1 gap-2">
            <h3 className="font-medium">
              {index + 1}. {title}
            </h3>
            <p className="text-sm text-muted">{note}</p>
            <CodeBlock code={code} name={title} />
          </li>
        ))}
      </ol>
    </>
  );
}
