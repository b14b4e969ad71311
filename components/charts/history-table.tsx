import { formatDateTime } from "@/components/ui/format";
import { MARKERS } from "./history-marker";

/** The same in words, the newest first. */
export function HistoryTable({
  points,
}: {
  points: { at: string; score: number; cause: string }[];
}) {
  return (
    <details>
      <summary className="cursor-pointer py-1 text-muted">As a table</summary>
      <table className="mt-2 w-full text-left">
        <thead>
          <tr className="border-b border-line text-muted">
            <th scope="col" className="py-1 font-normal">
              Time
            </th>
            <th scope="col" className="py-1 font-normal">
              Event
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, cause, score }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their place.
            <tr key={index} className="border-b border-line">
              <td className="py-1 pr-3">{formatDateTime(at)}</td>
              <td className="py-1 pr-3">
                {MARKERS.find((marker) => marker.cause === cause)?.word ?? "Days passed"}
              </td>
              <td className="py-1 text-right">{score.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
