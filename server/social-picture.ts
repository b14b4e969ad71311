import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ImageResponse } from "next/og";
import type { ReactElement } from "react";

const FONTS = [
  ["Instrument Sans", "@fontsource/instrument-sans/files/instrument-sans-latin-500-normal.woff"],
  ["Newsreader", "@fontsource/newsreader/files/newsreader-latin-600-normal.woff"],
] as const;

let fonts: Promise<{ name: string; data: Buffer }[]> | undefined;

/** A picture for links elsewhere, drawn on this machine alone, to be kept for five minutes. */
export async function socialPicture(
  picture: ReactElement,
  size: { width: number; height: number },
): Promise<ImageResponse> {
  fonts ??= Promise.all(
    FONTS.map(async ([name, file]) => ({
      name,
      data: await readFile(join(process.cwd(), "node_modules", file)),
    })),
  );
  return new ImageResponse(picture, {
    ...size,
    fonts: await fonts,
    headers: { "Cache-Control": "public, max-age=300" },
  });
}
