import type { Metadata } from "next";
import { PageNotFound } from "@/components/site/page-not-found";
import { listPagesIn } from "@/components/site/pages";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  const pages = listPagesIn("not-found");
  return (
    <PageNotFound
      pages={pages.map(({ route, label, summary = "", isOwnerPage = false }) => [
        route,
        label,
        summary,
        isOwnerPage,
      ])}
    />
  );
}
