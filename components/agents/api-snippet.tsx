import { TextLink } from "@/components/ui/text-link";
import { WrappedCommand } from "@/components/verify/wrapped-command";

interface Props {
  /** Base URL of the API, without a trailing slash. */
  url: string;
  wallet: string;
  isRegistered: boolean;
}

/** Shows the request for this wallet's data. */
export function ApiSnippet({ url, wallet, isRegistered }: Props) {
  // Only registered wallets have a profile in the API.
  const path = isRegistered ? `agents/${wallet}` : `reputation/${wallet}`;
  return (
    <div className="grid grid-cols-1 gap-3">
      <WrappedCommand command={`curl ${url}/api/v1/${path}`} />
      <p className="text-sm text-muted">
        <TextLink href="/docs" className="hover:text-ink">
          API reference
        </TextLink>
      </p>
    </div>
  );
}
