import type { Metadata } from "next";
import { AlertsSection } from "@/components/account/alerts-section";
import { alertsPageQuery } from "@/server/alerts/schema";
import { requireOwner } from "@/server/pages/page-api";
import { parsePageQuery } from "@/server/pages/page-query";

export const metadata: Metadata = { title: "Alerts", robots: { index: false } };

export default async function AlertsPage({ searchParams }: PageProps<"/dashboard/alerts">) {
  const query = parsePageQuery(alertsPageQuery, await searchParams);
  const { agent, api } = await requireOwner("alerts", query);
  const { watch } = query;
  const [alerts, names] = await Promise.all([
    api.alerts.get(),
    api.explorer.names(watch ? [watch] : []),
  ]);
  return (
    <AlertsSection
      alerts={alerts}
      contact={agent.ownerEmail}
      candidate={watch ? { wallet: watch, name: names[watch] ?? null } : null}
    />
  );
}
