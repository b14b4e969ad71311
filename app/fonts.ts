import localFont from "next/font/local";

/** Body text. */
export const instrumentSans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument-sans",
  display: "swap",
});

/**
 * Code, addresses and hashes. Not preloaded, and never swapped in after the text was shown: a page
 * opened before the file is cached keeps the system's monospace font, so nothing moves.
 */
export const geistMono = localFont({
  src: "../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-geist-mono",
  display: "optional",
  preload: false,
  adjustFontFallback: false,
});

/** Headings and large figures. One weight only, because every page waits for this file. */
export const newsreader = localFont({
  src: "../node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff2",
  weight: "600",
  variable: "--font-newsreader",
  display: "swap",
});
