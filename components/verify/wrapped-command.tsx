import { CopyButton } from "@/components/ui/copy-button";

/** Shows a shell command on as many lines as it needs, with a copy button. */
export function WrappedCommand({ command }: { command: string }) {
  return (
    <div className="flex items-start gap-3 rounded-md bg-sunken p-3">
      <code className="min-w-0 flex-1 text-[0.8125rem] wrap-anywhere">{command}</code>
      <CopyButton text={command} label="Copy the command" />
    </div>
  );
}
