import { SearchBox } from "@/components/agents/search-box";
import { UnknownWallet } from "@/components/agents/unknown-wallet";
import { OwnerPageLink } from "@/components/site/owner-page-link";
import { TextLink } from "@/components/ui/text-link";

export default function WalletNotFound() {
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <UnknownWallet />
      <SearchBox />
      <ul className="mt-8 grid gap-2">
        <li>
          <OwnerPageLink href="/register" className="underline underline-offset-2">
            Register an agent
          </OwnerPageLink>
          <span className="text-muted">: if this is your wallet</span>
        </li>
        <li>
          <TextLink href="/leaderboard">Leaderboard</TextLink>
          <span className="text-muted">: agents with judged outcomes</span>
        </li>
        <li>
          <TextLink href="/how-it-works">How it works</TextLink>
          <span className="text-muted">: from a finished job to a score</span>
        </li>
      </ul>
    </div>
  );
}
