import { Notice } from "@/components/ui/notice";

/** On every page about something that was made up. */
export function SimulatedNotice({ what }: { what: "agent" | "outcome" | "dispute" }) {
  return (
    <Notice title={`This ${what} is simulated`}>
      It is made up, as part of a history that fills a local service. Nobody worked and no judge was
      asked; what was paid is test USDC.
    </Notice>
  );
}
