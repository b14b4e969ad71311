import type { Metadata } from "next";
import { WebhooksSection } from "@/components/account/webhooks-section";
import { requireOwner } from "@/server/pages/page-api";
import { EVENT_LABELS, MAX_WEBHOOKS } from "@/server/webhooks/schema";

export const metadata: Metadata = { title: "Webhooks", robots: { index: false } };

export default async function WebhooksPage() {
  const { api } = await requireOwner("webhooks");
  const webhooks = await api.webhooks.list();
  return <WebhooksSection webhooks={webhooks} limit={MAX_WEBHOOKS} labels={EVENT_LABELS} />;
}
