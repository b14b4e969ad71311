import { expect, test } from "vitest";
import { sha256 } from "@/server/lib/hash";
import { commitTo, commitToHash, type Evidence, hashJson } from "./evidence";

const EVIDENCE: Evidence = {
  outcomeId: "0197a0c4-0000-7000-8000-000000000001",
  taskHash: sha256("task"),
  deliverableHash: sha256("deliverable"),
  documentHash: null,
  checksHash: null,
  examinationsHash: null,
  verdict: "SUCCESS",
  confPpm: 550_000,
  judgeVersion: "builtin-checks/v3",
  reasoningHash: sha256("reasoning"),
};

test("hashes the canonical JSON, with sorted keys and no spaces", () => {
  const canonical = `{"checksHash":null,"confPpm":550000,"deliverableHash":"${sha256("deliverable")}","documentHash":null,"examinationsHash":null,"judgeVersion":"builtin-checks/v3","outcomeId":"0197a0c4-0000-7000-8000-000000000001","reasoningHash":"${sha256("reasoning")}","taskHash":"${sha256("task")}","verdict":"SUCCESS"}`;
  expect(hashJson(EVIDENCE)).toBe(sha256(canonical));
});

test.each<Partial<Evidence>>([
  { outcomeId: "0197a0c4-0000-7000-8000-000000000002" },
  { taskHash: sha256("other") },
  { deliverableHash: sha256("other") },
  { documentHash: sha256("other") },
  { checksHash: sha256("other") },
  { examinationsHash: sha256("other") },
  { reasoningHash: sha256("other") },
  { verdict: "FAILURE" },
  { confPpm: 550_001 },
  { judgeVersion: "builtin-checks/v4" },
])("the hash changes with %j", (change) => {
  expect(hashJson({ ...EVIDENCE, ...change })).not.toBe(hashJson(EVIDENCE));
});

test("a commitment hashes the salt followed by the bytes of the text or hash", () => {
  const salt = Uint8Array.of(0xff, 0);
  expect(commitTo(salt, "é")).toBe(sha256(Uint8Array.of(0xff, 0, 0xc3, 0xa9)));
  expect(commitToHash(salt, "0x0102")).toBe(sha256(Uint8Array.of(0xff, 0, 1, 2)));
  expect(commitToHash(salt, undefined)).toBeNull();
});
