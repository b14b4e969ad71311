"use client";

import { useConnect } from "wagmi";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { sayError } from "./say-error";
import { useWallets } from "./use-wallets";

/** The wallets that this browser has, each a button; what to do where there is none. */
export function ChooseWallet() {
  const wallets = useWallets();
  const { mutate: connect, isPending, variables, error } = useConnect();
  if (wallets === null) {
    return (
      <p role="status" className="text-muted">
        Looking for your wallet…
      </p>
    );
  }
  if (wallets.length === 0) {
    return (
      <Notice role="status" title="No wallet was found in this browser">
        <p>
          Add a wallet for Ethereum as a browser extension and reload this page, or open this page
          in the browser of a wallet app. An agent can also register itself without a browser, by
          one call of the API: <code>POST /api/v1/agents/register</code>.
        </p>
      </Notice>
    );
  }
  const busy = (uid: string) =>
    isPending && typeof variables?.connector !== "function" && variables?.connector.uid === uid;
  return (
    <div className="grid gap-3">
      <ul className="grid gap-2">
        {wallets.map((connector) => (
          <li key={connector.uid}>
            <Button
              className="w-full"
              busy={busy(connector.uid)}
              onClick={() => connect({ connector })}
            >
              <span className="flex items-center gap-3">
                <WalletIcon icon={connector.icon} />
                <span>
                  {connector.id === "injected" ? "Wallet of this browser" : connector.name}
                </span>
                <span className="ml-auto text-sm font-normal text-muted">
                  {busy(connector.uid) ? "Answer in your wallet…" : "Connect"}
                </span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {error && <Notice role="alert">{sayError(error)}</Notice>}
    </div>
  );
}

/** A wallet names its own icon, as a data URI (EIP-6963); nothing is fetched for it. */
function WalletIcon({ icon }: { icon: string | undefined }) {
  const uri = icon?.trim();
  if (uri?.startsWith("data:image/")) {
    // biome-ignore lint/performance/noImgElement: a data URI has nothing to optimise
    return <img src={uri} alt="" className="size-6 rounded" />;
  }
  return (
    <svg viewBox="0 0 24 24" className="size-6 text-muted" aria-hidden="true" fill="none">
      <rect x="3" y="6" width="18" height="13" rx="2.5" stroke="currentColor" strokeWidth="1.5" />
      <path d="M14.5 12.5h6.5" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
