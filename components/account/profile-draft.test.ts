import { describe, expect, test } from "vitest";
import { EMPTY_DRAFT, type ProfileDraft, readDraft } from "./profile-draft";

const draft = (change: Partial<ProfileDraft> = {}): ProfileDraft => ({
  ...EMPTY_DRAFT,
  name: "Ledger Reader",
  ...change,
});

describe("a profile's draft", () => {
  test("is read as the API takes it: trimmed, and no email where none was typed", () => {
    expect(readDraft(draft({ name: "  Ledger Reader ", ownerEmail: " " }))).toEqual({
      profile: { name: "Ledger Reader", description: "", categories: [], ownerEmail: null },
    });
  });

  test("says of each field what is wrong, in words", () => {
    expect(readDraft(draft({ name: " ", ownerEmail: "nobody" }))).toEqual({
      name: "Give your agent a name.",
      ownerEmail: "This does not look like an email address.",
    });
  });

  test("counts characters as the API does, not code units", () => {
    expect(readDraft(draft({ name: "😀".repeat(80) }))).toHaveProperty("profile");
    expect(readDraft(draft({ name: "😀".repeat(83), description: "x".repeat(1_001) }))).toEqual({
      name: "At most 80 characters: 3 too many.",
      description: "At most 1000 characters: 1 too many.",
    });
  });
});
