import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { OutcomeTable } from "@/components/network/outcome-table";
import type { NamedJobs } from "@/server/explorer/schema";
import { addDisputes } from "./outcome-row";

const row = (outcomeId: string, disputeId: string | null) => ({
  ...({ outcomeId, disputeId, taskCategory: "ops", valueUsdc: 5 } as const),
  ...({ verdict: "SUCCESS", finalVerdict: "SUCCESS" } as const),
  contractor: { walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7", name: "Ada" } as const,
  requester: { walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D", name: "Bob" } as const,
});

test("a list says whether a dispute is open or left the verdict as it was", async () => {
  const readJobs = vi.fn(
    async () =>
      [
        { outcomeId: "a", dispute: "open" },
        { outcomeId: "b", dispute: "upheld" },
      ] as NamedJobs,
  );
  const listed = { content: [row("a", "d1"), row("b", "d2"), row("c", null)], isMore: false };
  const page = await addDisputes(listed, readJobs);
  expect(readJobs).toHaveBeenCalledExactlyOnceWith(["a", "b"]);
  expect(page.isMore).toBe(false);
  const html = renderToStaticMarkup(createElement(OutcomeTable, { outcomes: page.content }));
  expect(html.match(/Dispute open|Upheld in a dispute/g)).toEqual([
    "Dispute open",
    "Upheld in a dispute",
  ]);
});

test("nothing is read for jobs without disputes", async () => {
  const readJobs = vi.fn();
  expect((await addDisputes({ content: [row("c", null)] }, readJobs)).content).toMatchObject([
    { outcomeId: "c", dispute: null },
  ]);
  expect(readJobs).not.toHaveBeenCalled();
});
