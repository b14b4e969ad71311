import { UntrustedText } from "@/components/site/untrusted-text";
import { Notice } from "@/components/ui/notice";

/** Names the pages of the terms that did not respond, before anyone signs; nothing if all did. */
export function UnresponsivePages({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <Notice title="Pages of the terms did not respond">
      Links to them count as responding; quotations from them can fail.
      <ul className="mt-1 list-disc pl-5 break-all">
        {urls.map((url) => (
          <li key={url}>
            <UntrustedText>{url}</UntrustedText>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
