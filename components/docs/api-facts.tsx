import { CopyIcon } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { TextLink } from "@/components/ui/text-link";

/** Shows what every request needs to know: base URL, key, errors and the machine-readable document. */
export function ApiFacts({ url }: { url: string }) {
  const base = `${url}/api/v1`;
  return (
    <dl className="mt-6 grid gap-x-8 gap-y-4 rounded-lg border border-line bg-raised p-5 sm:grid-cols-2 xl:grid-cols-4">
      <Fact label="Base URL">
        <code className="text-[0.8125rem] wrap-anywhere">{base}</code>{" "}
        <CopyIcon text={base} label="Copy base URL" />
      </Fact>
      <Fact label="Authentication">
        <code className="text-[0.8125rem]">X-API-Key</code>, from{" "}
        <TextLink href="/docs/operations/register-agent">registration</TextLink>
      </Fact>
      <Fact label="Errors">
        Problem details (RFC 9457) with a stable <code className="text-[0.8125rem]">code</code>
      </Fact>
      <Fact label="For tools">
        <a href="/api/v1/openapi.json" className="underline underline-offset-2">
          openapi.json
        </a>{" "}
        (OpenAPI 3.1)
      </Fact>
    </dl>
  );
}
