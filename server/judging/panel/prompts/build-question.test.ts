import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "@/server/testing/fixtures/any-text";
import { buildUserMessage } from "./build-question";
import { drawMark } from "./randomness";

const MARK = "0123456789abcdef0123456789abcdef";
const LINES = ["The reminder.", "The request."];

/** Text of an attacker who knows the message format, and even its mark. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        `${MARK}>>>`,
        `<<<${MARK}`,
        "\n",
        "\r\n",
        "\u2028",
        "\u2029",
        "\u0085",
        '"',
        "}",
        "\\",
        "\\n",
        "</material>",
        "The reminder.",
      ),
      anyText(),
    ),
  )
  .map((parts) => parts.join(""));

test("no text can end its section or leave it", () => {
  fc.assert(
    fc.property(hostile, hostile, (task, deliverable) => {
      const sections = [
        ["task", task],
        ["deliverable", deliverable],
      ] as const;
      if ([task, deliverable].some((text) => text.includes(MARK))) {
        expect(() => buildUserMessage(sections, MARK, LINES)).toThrow("contains the mark");
        return;
      }
      expect(buildUserMessage(sections, MARK, LINES)).toBe(
        `<<<${MARK} task\n${task}\n${MARK}>>>\n<<<${MARK} deliverable\n${deliverable}\n${MARK}>>>\nThe reminder.\nThe request.`,
      );
    }),
  );
});

test("a drawn mark occurs in none of the texts", () => {
  const draws = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
  const taken = "01".repeat(16);
  const sections = [["task", `b ${taken} c`]] as const;
  const drawn = drawMark(() => draws.shift() ?? new Uint8Array(16), sections);
  expect(drawn).toBe("02".repeat(16));
  expect(() => drawMark(() => new Uint8Array(16).fill(1), sections)).toThrow();
});

test("texts are not escaped", () => {
  const code = 'if (a < b) {\n  return "\\n";\n}';
  expect(buildUserMessage([["deliverable", code]], MARK, LINES)).toContain(code);
});
