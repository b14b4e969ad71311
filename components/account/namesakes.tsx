import { trpc } from "@/components/trpc";
import { shortenHex } from "@/components/ui/format";
import { useDebouncedValue } from "@/components/ui/use-debounced-value";
import { TIER_LABELS } from "@/server/reputation/policy";

/** Warns that other agents have a name, which need not be unique, of the 100 best that contain it. */
export function Namesakes({ name, wallet }: { name: string; wallet: string }) {
  const q = useDebouncedValue(name.trim(), 300);
  const { data } = trpc.explorer.search.useQuery({ q, size: 100 }, { enabled: q !== "" });
  const [best, ...others] = (data?.content ?? []).filter(
    (agent) => agent.walletAddress !== wallet && agent.name.toLowerCase() === q.toLowerCase(),
  );
  return (
    <span role="status" className="text-notice-ink">
      {best && (
        <>
          Another agent has this name:{" "}
          <a
            href={`/agents/${best.walletAddress}`}
            className="underline"
            target="_blank"
            rel="noopener"
          >
            {shortenHex(best.walletAddress)}
          </a>{" "}
          ({TIER_LABELS[best.tier]}){others.length > 0 && `, and ${others.length} more`}. Only the
          address tells you apart.
        </>
      )}
    </span>
  );
}
