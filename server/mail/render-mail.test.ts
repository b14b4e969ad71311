import { expect, test } from "vitest";
import { CONFIRM_LINK, quoteName, renderMail } from "./render-mail";

const ORIGIN = "https://standing.example";
const render = (lines: string[]) =>
  renderMail({ subject: "About", lines }, ORIGIN, "id=1&token=secret");

test("every mail says who sends it and how to end all mail", () => {
  expect(render(["Hello"])).toBe(
    `Hello\n\n-- \nStanding, ${ORIGIN}\n\nStop all mail to this address:\n${ORIGIN}/email?action=unsubscribe&id=1&token=secret\n`,
  );
});

test("a line that is a path becomes a link; only links of the address get its token", () => {
  const lines = render(["/agents/0x1", "see /agents/0x2", CONFIRM_LINK]).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    `${ORIGIN}/agents/0x1`,
    "see /agents/0x2",
    `${ORIGIN}/email?action=confirm&id=1&token=secret`,
  ]);
});

test.each([
  ["line breaks", "Ada\r\nBcc: x\n\n/email?", "Ada Bcc: x /email?"],
  ["links", "https://evil.example/x, a@evil.example", "https···evil·example·x, a·evil·example"],
  ["bidirectional controls", "\u202ELedger\u2069", "Ledger"],
  ["invisible characters", "Stand\u200Bing", "Standing"],
])("a name cannot add %s", (_, name, shown) => {
  expect(quoteName(name)).toBe(`“\u2068${shown.replace("/email", "·email")}\u2069”`);
});
