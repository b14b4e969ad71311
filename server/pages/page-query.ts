import { redirect } from "next/navigation";
import { z } from "zod";
import { buildUrl } from "@/server/lib/build-url";
import { walletSchema } from "@/server/lib/wallet";
import type { WrongParameter } from "./schema";

/** The query parameters of a page's URL, as Next passes them. */
export type PageQuery = Record<string, string | string[] | undefined>;

/**
 * Parses the query with the input schema of the page's procedure. Drops invalid values, so that a
 * mistyped URL still shows the page. A URL counts pages from 1, the result from 0.
 */
export function parsePageQuery<T extends z.ZodObject>(schema: T, query: PageQuery): z.infer<T> {
  return schema.parse(readParameters(schema, query).values) as z.infer<T>;
}

/**
 * Redirects to the same page without parameters that are empty or the default, such as those of a form
 * that was sent with empty fields. Parameters that the schema doesn't have stay where they are if nothing
 * else changes. Returns the invalid ones, for the page to name.
 */
export function redirectToCleanUrl<T extends z.ZodObject>(
  path: string,
  schema: T,
  query: PageQuery,
): WrongParameter[] {
  const { texts, values, wrong, isClean } = readParameters(schema, query);
  if (!isClean) {
    redirect(buildUrl(path, { ...texts, ...Object.fromEntries(wrong), page: values.page }));
  }
  return wrong;
}

/**
 * Returns the parsed query of a list and what its parts need to link to it: its path, the query without
 * the page as texts for URLs, and what is wrong in it. Redirects to the clean URL.
 */
export function readListQuery<T extends z.ZodObject>(path: string, schema: T, query: PageQuery) {
  const wrong = redirectToCleanUrl(path, schema, query);
  const { page: _, ...filter } = readParameters(schema, query).texts;
  return { input: parsePageQuery(schema, query), list: { path, filter, wrong } };
}

/** Returns the valid values, their texts in the URL, the invalid ones, and whether none is idle. */
function readParameters(schema: z.ZodObject, query: PageQuery) {
  const values: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  const wrong: WrongParameter[] = [];
  let isClean = true;
  for (const [name, field] of Object.entries(schema.shape)) {
    const [text] = [query[name]].flat();
    if (text === undefined) continue;
    const candidates =
      name === "page"
        ? [Number(text) - 1]
        : [text, Number(text), ...(text === "true" ? [true] : [])];
    const valid = text && candidates.find((value) => z.safeParse(field, value).success);
    if (valid === undefined) wrong.push([name, text]);
    else if (valid === "" || valid === z.safeParse(field, undefined).data) {
      isClean = false;
    } else {
      values[name] = valid;
      texts[name] = text;
    }
  }
  return { values, texts, wrong, isClean };
}

/** Parses the addresses in a URL: at most `most` different ones; anything else is dropped. */
export function parseWallets(text: string, most: number): string[] {
  const parts = text.slice(0, 500).split(/,|%2C/i);
  const wallets = parts.flatMap((part) => walletSchema.safeParse(part).data ?? []);
  return [...new Set(wallets)].slice(0, most);
}
