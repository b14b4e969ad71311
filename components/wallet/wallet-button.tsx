import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import type { Wallet } from "./use-wallets";

interface Props {
  wallet: Wallet;
  busy: boolean;
  onChoose: () => void;
}

const HINTS: Record<string, string> = {
  walletConnect: "Wallet app on your phone",
  baseAccount: "Use a passkey; no wallet needed",
};

/** Renders the button that connects a wallet, with name and icon. */
export function WalletButton({ wallet, busy, onChoose }: Props) {
  const { id, name, icon } = wallet;
  const hint = HINTS[id];
  return (
    <Button className="w-full" busy={busy} onClick={onChoose}>
      <span className="flex items-center gap-3 text-left">
        <WalletIcon id={id} icon={icon} />
        <span className="min-w-0">
          {name}
          {hint && <span className="block text-sm font-normal text-muted">{hint}</span>}
        </span>
        <span className="ml-auto shrink-0 text-sm font-normal text-muted">
          {busy ? "Waiting…" : "Connect"}
        </span>
      </span>
    </Button>
  );
}

const ICONS: Record<string, string> = {
  walletConnect:
    "M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM10.5 17.5h3",
  baseAccount:
    "M9 10.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20v-1.5a5 5 0 0 1 5-5h2.5M17 12a2.5 2.5 0 0 1 1 4.8v3.7l-1.6-1.2V16.8A2.5 2.5 0 0 1 17 12z",
};
const DEFAULT_ICON =
  "M5.5 6h13A2.5 2.5 0 0 1 21 8.5v8a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5v-8A2.5 2.5 0 0 1 5.5 6zM14.5 12.5H21";

/** Shows the icon that a wallet announces as a data URI (EIP-6963); fetches nothing. */
function WalletIcon({ id, icon }: { id: string; icon: string | undefined }) {
  const uri = icon?.trim();
  if (uri?.startsWith("data:image/")) {
    // biome-ignore lint/performance/noImgElement: a data URI has nothing to optimise
    return <img src={uri} alt="" className="size-6 shrink-0 rounded" />;
  }
  return <Icon path={ICONS[id] ?? DEFAULT_ICON} className="size-6 shrink-0 text-muted" box={24} />;
}
