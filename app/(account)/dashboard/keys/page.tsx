import type { Metadata } from "next";
import { KeysSection } from "@/components/account/keys-section";
import { requireOwner } from "@/server/pages/page-api";

export const metadata: Metadata = { title: "API keys", robots: { index: false } };

export default async function KeysPage() {
  const { api } = await requireOwner("keys");
  const keys = await api.agents.keys.list();
  return <KeysSection keys={keys} now={Date.now()} />;
}
