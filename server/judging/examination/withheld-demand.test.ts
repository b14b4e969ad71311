import { expect, test } from "vitest";
import { describeWithheld, numberRepeats } from "./withheld-demand";

test.each([
  ["Keeps the memo below 150 words", "length or number of parts"],
  ["Cites the harbour report of the Oslo office", "sources or quotations"],
  ["Is a JSON object with the members of the invoice", "form or structure"],
  ["The function returns the invoices of a client", "code or commands"],
  ["States the net margin of the Lisbon branch as a percentage", "figures or calculations"],
  ["Explains why Oslo keeps more of its members", "reasons or conclusions"],
  ["Thanks Mrs Aalto", "content of the work"],
])("a demand is described by its topic, without a word of its own: %s", (text, topic) => {
  expect(describeWithheld({ text })).toBe(`A demand on ${topic}, in private words`);
});

test("equal names are numbered", () => {
  expect(numberRepeats(["One", "Other", "One"])).toEqual(["One", "Other", "One (2)"]);
});
