"use client";

import { notFound } from "next/navigation";
import { Component } from "react";
import { formatAmount } from "@/components/ui/format";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";

interface Props {
  /** One-based. */
  page: number;
  totalPages: number;
  /** URL of the last page. */
  href: string;
}

/**
 * Responds with 404 to a page after a list's last one, and says how many there are. An error boundary of
 * its own, because the site's page for 404 knows nothing but the URL.
 */
export class MissingPage extends Component<Props, { isMissing: boolean }> {
  override state = { isMissing: false };
  static getDerivedStateFromError = () => ({ isMissing: true });

  override render() {
    if (!this.state.isMissing) return <NotFound />;
    const { page, totalPages, href } = this.props;
    const are = totalPages === 1 ? "is" : "are";
    return (
      <>
        <PageTitle>{`Page ${formatAmount(page)} doesn't exist: there ${are} ${formatAmount(totalPages)}.`}</PageTitle>
        <p className="mt-4">
          <TextLink href={href}>Go to page {formatAmount(totalPages)}</TextLink>
        </p>
      </>
    );
  }
}

const NotFound = () => notFound();
