import { encode } from "uqr";
import { CopyButton } from "@/components/ui/copy-button";

/** The link that a wallet app pairs by: as a code for its camera, for this device, and to copy. */
export default function PairingCode({ uri }: { uri: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_1fr] sm:items-center sm:gap-6">
      <QrCode text={uri} label="Code that connects a wallet app" />
      <div className="grid gap-3">
        <ol className="grid list-decimal gap-1 pl-5">
          <li>Open your wallet app, and there what scans a code, or “WalletConnect”.</li>
          <li>Point the camera at this code. It is good for five minutes.</li>
          <li>Allow the connection in the app; this page goes on by itself.</li>
        </ol>
        <p>
          Or{" "}
          <a href={uri} className="underline underline-offset-2">
            open a wallet app on this device
          </a>
          , or paste the link into one:{" "}
          <CopyButton text={uri} label="Copy the link that connects a wallet app" />
        </p>
      </div>
    </div>
  );
}

/** Dark on light whatever the colours of the page, as not every reader takes the reverse. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: "L", border: 3 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="mx-auto w-56 rounded-md bg-white sm:w-52"
    >
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}
