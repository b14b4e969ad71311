import localFont from "next/font/local";

// Text is shown at once and in its own font on every first view: preloaded fonts mostly arrive before
// it, and the fallbacks in `globals.css` take the same room, so a font that comes later moves nothing.

/** Body text. */
export const instrumentSans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-instrument-sans",
  display: "swap",
  adjustFontFallback: false,
});

/** Code, addresses and hashes. Not preloaded, since few pages begin with them; used if it is at hand. */
export const geistMono = localFont({
  src: "../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  weight: "400 700",
  variable: "--font-geist-mono",
  display: "optional",
  preload: false,
  adjustFontFallback: false,
});

/** Headings and large figures. One weight only, because every page loads this file. */
export const newsreader = localFont({
  src: "../node_modules/@fontsource/newsreader/files/newsreader-latin-600-normal.woff2",
  weight: "600",
  variable: "--font-newsreader",
  display: "swap",
  adjustFontFallback: false,
});
