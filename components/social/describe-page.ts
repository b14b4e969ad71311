import type { Metadata } from "next";
import { PICTURE_SIZE } from "./picture";

/** What every page says of itself where its link is shared; "./" is the page's own path. */
export const SHARED_METADATA = {
  alternates: { canonical: "./" },
  openGraph: { siteName: "Standing", type: "website", url: "./" },
} satisfies Metadata;

interface Page {
  /** Path of its canonical URL. */
  path: string;
  title: string;
  /** Names what the page is about, since it is also the text of the picture. */
  description: string;
  /** Path of the picture below `/pictures/`, if it is not the page's path. */
  picture?: string;
  /** URLs of the page's other forms, by media type. */
  types?: Record<string, string>;
}

/** Describes a page that has a sharing picture of its own, to search engines and where it is shared. */
export function describePage({ path, title, description, types, picture = path }: Page): Metadata {
  const image = {
    url: `/pictures${picture}`,
    alt: description,
    type: "image/png",
    ...PICTURE_SIZE,
  };
  return {
    title,
    description,
    alternates: { canonical: path, ...(types && { types }) },
    openGraph: { ...SHARED_METADATA.openGraph, url: path, images: [image] },
  };
}
