import { expect, test } from "vitest";
import { packRows, unpackRows } from "./packed-rows";

test("packed rows keep their fields, also those that other rows do not have", () => {
  const rows = [
    { name: "Ada", place: 1 },
    { name: "", risk: { level: "danger" } },
    { name: "Eve", place: 0, isTied: false },
  ];
  const packed = packRows<object>(rows);
  expect(packed.keys).toEqual(["name", "place", "risk", "isTied"]);
  expect(unpackRows(JSON.parse(JSON.stringify(packed)))).toEqual(rows);
});
