import { ImageResponse } from "next/og";
import { Bars } from "@/components/social/picture";

export const size = { width: 180, height: 180 };
export const contentType = "image/png";

/** Renders the logo as a home-screen icon. */
export default function Icon() {
  return new ImageResponse(
    <div
      style={{
        width: "100%",
        height: "100%",
        display: "flex",
        alignItems: "center",
        justifyContent: "center",
        background: "#fbfaf8",
      }}
    >
      <Bars level={4} size={120} />
    </div>,
    size,
  );
}
