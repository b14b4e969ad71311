import { expect, test } from "vitest";
import { listAttributedFigures, occursAsFigure } from "./attributed-figures";

const PAGE = "https://who.int/report";
const list = (text: string) => listAttributedFigures(text).map(({ figure }) => figure);

test.each<[string, string[]]>([
  [`It delivered 14.2 gigawatt hours in 2023 (${PAGE}).`, ["14.2"]],
  [`Sales were 1,250 tonnes. Costs fell by 12% (${PAGE}).`, ["12"]],
  [`Sales were 1,250 tonnes. ${PAGE}`, ["1,250"]],
  [`There were 5 of them (${PAGE}).`, []],
  [`In 45 cases [a](https://who.int/a) and 60 cases [b](https://who.int/b).`, ["45"]],
])("%s", (text, figures) => expect(list(text)).toEqual(figures));

test.each<[string, string, boolean]>([
  ["1,250", "about 1.250 tonnes", true],
  ["1250", "about 1 250 tonnes", true],
  ["14.2", "14,2 GWh", true],
  ["14.2", "it grew by 14.25", false],
  ["45", "in 145 cases", false],
  ["45", "1, 45, 60", true],
])("%s in %j: %s", (figure, text, occurs) => expect(occursAsFigure(figure, text)).toBe(occurs));
