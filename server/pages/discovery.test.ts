import { expect, test } from "vitest";
import { renderSecurityTxt } from "@/server/pages/discovery";

test("security.txt expires within a year and stays the same for a day", () => {
  const render = (time: string) =>
    renderSecurityTxt("mailto:security@example.com", "https://standing.example", new Date(time));
  expect(render("2026-11-22T00:00:00Z")).toBe(`Contact: mailto:security@example.com
Expires: 2027-05-21T00:00:00.000Z
Preferred-Languages: en
Canonical: https://standing.example/.well-known/security.txt
`);
  expect(render("2026-11-22T23:59:59Z")).toBe(render("2026-11-22T00:00:00Z"));
});
