import { notFound } from "next/navigation";
import type { z } from "zod";
import { buildPageUrl, type PageQuery, parsePageQuery } from "./page-query";

/** Parses the query of a list, whose pages are numbered from 1 in URLs and from 0 in the API. */
export function parseListQuery<T extends z.ZodObject>(schema: T, query: PageQuery): z.infer<T> {
  const page = Number([query.page].flat()[0]);
  const isLater = Number.isInteger(page) && page > 1;
  return parsePageQuery(schema, { ...query, page: isLater ? String(page - 1) : undefined });
}

/** Returns the URL of a list with `filter`, and of the zero-based `page` if it isn't the first. */
export function buildListUrl(path: string, filter: PageQuery, page = 0): string {
  return buildPageUrl(path, filter, { page: page > 0 ? String(page + 1) : undefined });
}

/** Shows the 404 page for a page after the last one. */
export function requireListedPage({ page, content }: { page: number; content: unknown[] }): void {
  if (page > 0 && content.length === 0) notFound();
}
