import { ImageResponse } from "next/og";
import { Bars } from "@/components/social/picture";

export const size = { width: 180, height: 180 };
export const contentType = "image/png";

/** Renders the logo as a home-screen icon. */
export default function Icon() {
  return new ImageResponse(
    <div tw="flex h-full w-full items-center justify-center bg-[#fbfaf8]">
      <Bars level={4} size={120} />
    </div>,
    size,
  );
}
