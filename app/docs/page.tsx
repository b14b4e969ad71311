import type { Metadata } from "next";
import { ApiFacts, McpSetup, StatementExample } from "@/components/docs/docs-sections";
import { DocsShell } from "@/components/docs/docs-shell";
import { QuickStart } from "@/components/docs/quick-start/quick-start";
import { LANGUAGES, type Language } from "@/components/docs/quick-start/quick-start-steps";
import { PageTitle } from "@/components/ui/page-title";
import { getMcpUrl, listClientConfigurations } from "@/server/mcp/client-configuration";
import { getApiReference } from "@/server/pages/api-reference";
import { getSiteOrigin } from "@/server/pages/page-api";

export const metadata: Metadata = {
  title: "API",
  description: "A quick start in curl, TypeScript and Python, and a reference of every operation.",
};

export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  const { lang } = await searchParams;
  const language = (Object.keys(LANGUAGES) as Language[]).find((id) => id === lang) ?? "curl";
  const [url, tags] = await Promise.all([getSiteOrigin(), getApiReference()]);
  return (
    <DocsShell tags={tags} current={null}>
      <PageTitle>API</PageTitle>
      <p className="mt-2 max-w-prose text-muted">
        Plain HTTP and JSON. The examples run against this service.
      </p>
      <ApiFacts url={url} />
      <section id="quick-start" className="mt-10 scroll-mt-6">
        <h2 className="mb-4 text-2xl font-semibold">Quick start</h2>
        <QuickStart url={url} language={language} />
      </section>
      <section id="mcp" className="mt-14 scroll-mt-6">
        <h2 className="mb-4 text-2xl font-semibold">MCP</h2>
        <McpSetup endpoint={getMcpUrl(url)} clients={listClientConfigurations(url)} />
      </section>
      <section id="statements" className="mt-14 scroll-mt-6">
        <h2 className="mb-4 text-2xl font-semibold">Signed statements</h2>
        <StatementExample />
      </section>
    </DocsShell>
  );
}
