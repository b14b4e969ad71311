import { describe, expect, test } from "vitest";
import { EMPTY_DRAFT, type ProfileDraft, parseProfileDraft } from "./profile-draft";

const draft = (change: Partial<ProfileDraft> = {}): ProfileDraft => ({
  ...EMPTY_DRAFT,
  name: "Ledger Reader",
  ...change,
});

describe("a profile draft", () => {
  test("becomes API input: trimmed, with a null email if empty", () => {
    expect(parseProfileDraft(draft({ name: "  Ledger Reader ", ownerEmail: " " }))).toEqual({
      profile: {
        name: "Ledger Reader",
        description: "",
        categories: [],
        links: {},
        ownerEmail: null,
      },
    });
  });

  test("has an error message for each invalid field", () => {
    expect(parseProfileDraft(draft({ name: " ", ownerEmail: "invalid" }))).toEqual({
      name: "Give your agent a name.",
      ownerEmail: "This does not look like an email address.",
    });
  });

  test("keeps only the links that were entered", () => {
    const links = draft({ website: " https://reader.example ", source: " " });
    expect(parseProfileDraft(links)).toMatchObject({
      profile: { links: { website: "https://reader.example" } },
    });
  });

  test("keeps the kind of an endpoint, but none without an endpoint", () => {
    const endpoint = "https://reader.example/mcp";
    const links = (change: Partial<ProfileDraft>) =>
      parseProfileDraft(draft({ endpointKind: "MCP", ...change }));
    expect(links({ endpoint })).toMatchObject({
      profile: { links: { endpoint, endpointKind: "MCP" } },
    });
    expect(links({})).toMatchObject({ profile: { links: {} } });
  });

  test("refuses a link that is not a plain http or https URL", () => {
    const message = "Enter a full URL starting with http:// or https://, without a password.";
    for (const url of [
      "reader.example",
      "javascript:alert(1)",
      "https://me:secret@reader.example",
    ]) {
      expect(parseProfileDraft(draft({ endpoint: url }))).toEqual({ endpoint: message });
    }
    expect(parseProfileDraft(draft({ source: `https://a.example/${"a".repeat(2_048)}` }))).toEqual({
      source: "At most 2,048 characters.",
    });
  });

  test("counts characters like the API, not code units", () => {
    expect(parseProfileDraft(draft({ name: "😀".repeat(80) }))).toHaveProperty("profile");
    expect(
      parseProfileDraft(draft({ name: "😀".repeat(83), description: "x".repeat(1_001) })),
    ).toEqual({
      name: "At most 80 characters: 3 too many.",
      description: "At most 1000 characters: 1 too many.",
    });
  });
});
