import fc from "fast-check";
import { expect, it } from "vitest";
import { entityTag, noneMatch } from "./etag";

it("tags equal bodies equally and others otherwise, strongly", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(entityTag(a)).toMatch(/^"[\w-]{27}"$/);
      expect(entityTag(a) === entityTag(b)).toBe(a === b);
    }),
  );
});

it("finds the tag in a list, weak or strong, and in *", () => {
  const tag = entityTag("body");
  for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} , "y"`, "*", " * "]) {
    expect(noneMatch(header, tag)).toBe(true);
  }
  for (const header of [undefined, "", '"x"', tag.slice(1, -1), `"x${tag.slice(1)}`, '"*"']) {
    expect(noneMatch(header, tag)).toBe(false);
  }
});
