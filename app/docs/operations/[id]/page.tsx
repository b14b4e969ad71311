import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsShell } from "@/components/docs/docs-shell";
import { OperationView } from "@/components/docs/operation-view";
import { Breadcrumbs } from "@/components/site/breadcrumbs";
import { getApiReference } from "@/server/pages/api-reference";
import { getSiteOrigin } from "@/server/pages/page-api";

type Props = PageProps<"/docs/operations/[id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { operation } = await findOperation(await params);
  const { id, summary, description } = operation;
  const types = { "text/markdown": `${await getSiteOrigin()}/docs/operations/${id}.md` };
  return {
    title: `${summary} · API`,
    description: description.replaceAll("`", ""),
    alternates: { types },
  };
}

/** Documents one operation or webhook event of the API. */
export default async function OperationPage({ params }: Props) {
  const { tags, operation } = await findOperation(await params);
  const origin = await getSiteOrigin();
  return (
    <DocsShell tags={tags} current={operation.id}>
      <Breadcrumbs
        origin={origin}
        parents={[{ label: "API", path: "/docs" }]}
        current={operation.summary}
      />
      <OperationView operation={operation} api={`${origin}/api/v1`} />
    </DocsShell>
  );
}

async function findOperation({ id }: { id: string }) {
  const tags = await getApiReference();
  for (const { operations } of tags) {
    const operation = operations.find((one) => one.id === id);
    if (operation) return { tags, operation };
  }
  notFound();
}
