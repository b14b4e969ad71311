import { shortenHex } from "@/components/ui/format";
import type { WalletProfile } from "@/server/explorer/schema";
import { removeBidiControls } from "@/server/lib/bidi";

/**
 * Returns the schema.org `ProfilePage` of an agent or an unregistered wallet. It has no
 * `AggregateRating`: a score is not an average of ratings.
 * @param origin Public URL of the service, without a trailing slash.
 */
export function describeProfilePage(
  { agent, walletAddress }: Pick<WalletProfile, "agent" | "walletAddress">,
  origin: string,
) {
  const url = `${origin}/agents/${walletAddress}`;
  return {
    "@type": "ProfilePage",
    url,
    mainEntity: {
      "@type": "SoftwareApplication",
      "@id": url,
      name: agent ? removeBidiControls(agent.name) : shortenHex(walletAddress),
      identifier: walletAddress,
      ...(agent?.description && { description: removeBidiControls(agent.description) }),
    },
  };
}
