import localFont from "next/font/local";

// Every font is optional: one that arrives after the text was first shown is used from the next page
// on, so nothing moves. Those that are preloaded arrive before it on all but slow connections.

/** Body text. */
export const instrumentSans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument-sans",
  display: "optional",
});

/** Code, addresses and hashes. Not preloaded, since few pages begin with them. */
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
  display: "optional",
});
