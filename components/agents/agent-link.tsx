import { PartyName } from "@/components/site/party-name";
import { Link } from "@/components/ui/link";

interface Props {
  wallet: string;
  /** Null or undefined if the wallet isn't registered. */
  name: string | null | undefined;
  className?: string;
}

/** Links to the page of a wallet by its name, or by its address if it isn't registered. */
export function AgentLink({ wallet, name, className = "" }: Props) {
  return (
    <Link
      href={`/agents/${wallet}`}
      title={name ? wallet : `${wallet}, not registered`}
      className={`underline decoration-line hover:decoration-ink ${className}`}
    >
      <PartyName walletAddress={wallet} name={name} />
    </Link>
  );
}

/** Names an agent without a link; shows the address of an unregistered wallet. */
export const AgentName = ({ wallet, name }: Omit<Props, "className">) => (
  <span title={wallet} className="break-words">
    <PartyName walletAddress={wallet} name={name} />
  </span>
);
