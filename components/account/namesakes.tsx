import { trpc } from "@/components/trpc";
import { shortenHex } from "@/components/ui/format";
import { useSettled } from "@/components/ui/use-settled";
import { TIER_LABELS } from "@/server/reputation/policy";

/** Most that are named, and registered agents among whose names the same one is looked for. */
const [SHOWN, SIZE] = [3, 100];

/** Warns of other agents with a name: it need not be unique. */
export function Namesakes({ name, wallet }: { name: string; wallet: string }) {
  const q = useSettled(name.trim(), 300);
  const { data } = trpc.explorer.search.useQuery({ q, size: SIZE }, { enabled: q !== "" });
  const same = (data?.content ?? []).filter(
    (agent) => agent.walletAddress !== wallet && agent.name.toLowerCase() === q.toLowerCase(),
  );
  return (
    <span role="status" className="text-notice-ink">
      {same.length > 0 && (
        <>
          {same.length === 1 ? "Another agent has" : `${same.length} other agents have`} this name:{" "}
          {same.slice(0, SHOWN).map(({ walletAddress, tier }) => (
            <span key={walletAddress}>
              <a
                href={`/agents/${walletAddress}`}
                target="_blank"
                rel="noopener"
                className="underline"
              >
                {shortenHex(walletAddress)}
              </a>{" "}
              ({TIER_LABELS[tier]}).{" "}
            </span>
          ))}
          Only the address tells you apart.
        </>
      )}
    </span>
  );
}
