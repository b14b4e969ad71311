import fc from "fast-check";
import { expect, it } from "vitest";
import { EncodedBody } from "./encoded-body";
import { matchesEntityTag } from "./response";

it("computes equal strong tags for equal bodies only", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(new EncodedBody(a).tag).toMatch(/^"[\w-]{27}"$/);
      expect(new EncodedBody(a).tag === new EncodedBody(b).tag).toBe(a === b);
    }),
  );
});

it("matches a weak or strong tag in a list, and *", () => {
  const tag = new EncodedBody("body").tag;
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} , "y"`, "*", " * "]) {
    expect(matchesEntityTag(header, tag)).toBe(true);
  }
  for (const header of [undefined, "", '"x"', tag.slice(1, -1), `"x${tag.slice(1)}`, '"*"']) {
    expect(matchesEntityTag(header, tag)).toBe(false);
  }
});
