import { expect, test, vi } from "vitest";
import type { CheckIo } from "@/server/judging/checks/check";
import { executeCode } from "@/server/judging/checks/code/sandbox/execute-code";
import { createRequirementDecider } from "@/server/judging/requirements/decide-requirements";
import type { Delivered } from "@/server/judging/requirements/requirement-decider";
import { requirementKind } from "@/server/judging/requirements/schema";
import { listRequirementKinds } from "./list-kinds";

// Programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const PAGE =
  "Why, and why not: cryptographic operations like hashing and signing need the data as is.";
const io: CheckIo = {
  fetchCitedPage: async () => ({ kind: "page", text: PAGE, isPartial: false }),
  runCode: executeCode,
};
const decide = createRequirementDecider(io);

/** A deliverable that is a URL stands for a text file behind it. */
function deliver(deliverable: string): Delivered {
  const isUrl = /^https:\S+$/.test(deliverable);
  const file = isUrl ? { sha256: "0x", mediaType: "text/plain", bytes: 5 } : null;
  return { text: deliverable, source: deliverable, file, problem: null };
}

test.each(listRequirementKinds())("$check decides its examples", async (kind) => {
  expect(requirementKind.parse(kind)).toEqual(kind);
  const { requirement, passes, fails } = kind.example;
  const [passed] = await decide(deliver(passes), [requirement]);
  const [failed] = await decide(deliver(fails), [requirement]);
  expect(passed).toMatchObject({ check: kind.check, passed: true });
  expect(failed).toMatchObject({ check: kind.check, passed: false });
});
