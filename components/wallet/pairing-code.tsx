import { encode } from "uqr";
import { CopyButton } from "@/components/ui/copy-button";
import { FullLink } from "@/components/ui/text-link";

/** Shows the pairing link as a QR code, as a link for this device, and for copying. */
export default function PairingCode({ uri }: { uri: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_1fr] sm:items-center sm:gap-6">
      <QrCode text={uri} label="WalletConnect pairing code" />
      <div className="grid gap-3">
        <ol className="grid list-decimal gap-1 pl-5">
          <li>Open your wallet app and its scanner, or “WalletConnect”.</li>
          <li>Scan this code. It is valid for five minutes.</li>
          <li>Approve the connection; this page continues automatically.</li>
        </ol>
        <p>
          Or <FullLink href={uri}>open a wallet app on this device</FullLink>, or paste the link
          into one: <CopyButton text={uri} label="Copy the pairing link" />
        </p>
      </div>
    </div>
  );
}

/** Draws a QR code, always dark on light because not every scanner reads the reverse. */
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
