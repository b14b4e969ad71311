import { CopyButton } from "@/components/ui/copy-button";

/** A command to be run in a terminal, with a way to copy it. */
export function Command({ text, name }: { text: string; name: string }) {
  return (
    <div className="relative mt-2 rounded-md bg-sunken">
      <pre className="px-4 py-3 pr-20 text-[0.8125rem] wrap-anywhere whitespace-pre-wrap">
        <code>{text}</code>
      </pre>
      <span className="absolute top-2.5 right-3">
        <CopyButton text={text} label={`Copy ${name}`} />
      </span>
    </div>
  );
}
