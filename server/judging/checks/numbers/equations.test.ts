import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findEquations } from "./equations";
import { readFigures, toSigned } from "./figures";

const judge = (text: string, task = ""): "right" | "wrong" | "none" => {
  const equations = findEquations(text.normalize("NFKC"), task);
  if (equations.length === 0) return "none";
  return equations.every(({ isRight }) => isRight) ? "right" : "wrong";
};

// cspell:ignore Zinsen
describe("findEquations", () => {
  it.each([
    "(75 − 60)/60 = 25%",
    "12 x 3 = 36",
    "12x3=36",
    "$\\frac{206,588 - 181,001}{181,001} \\times 100 = 14.14\\%$",
    "Net: $5.2 million − $4.1 million = $1.1 million",
    "5,200 − 4,100 = $1.1 thousand",
    "54,185 / 42,000 - 1 = **29.0 %**.",
    "(54,185 / 42,000)^(1/5) - 1 = **5.23 %**",
    "12 hours × $25/hour = $300",
    "4,614 - 56·556/8 = 4,614 - 3,892 = 722",
    "12 × 3 = 36 + 4 = 40",
    "40.0 % of 7,176 = 2,871 carts",
    "1. 5 + 6 = 11",
    "Step 3: 500 (2019) − 400 (2018) = 100",
    "Zinsen 24.000 × 3,5 % = 840 EUR",
    "100 * (1 + 0.05)^3 = 115.76",
    "500 - 800 = (300)",
    "16 - 3 - 4 = 9 eggs a day",
    "Average = (8,217 + 7,527 + 6,447) / 3 = 22,191 / 3 = 7,397",
    "$2,500 × 0.05 × (6/12) = $62.50",
    "$1,000 / 3 ≈ $333",
    "He sold 5*8 = <<5*8=40>>40 cups",
    "Growth = ((1,250 - 1,000) ÷ 1,000) × 100% = 25%",
    "48 / 2 = 24 and 48 + 24 = 72",
    "- Birch 250 + 200 x 1.00 = 450",
    "120 ms + 80 ms + 50 ms = 250 ms = 0.25 s",
    "$600/mo × 12 = $7,200/yr",
    "40% × 85 + 60% × 90 = 88",
    "7.74% − 10.80% = −3.06 pp",
    "48.8 % promoters − 16.4 % detractors = 32.4",
    "1,000(1.05)^3 = 1,157.63",
    "0.4(85) + 0.6(90) = 88",
    "Over 4 weeks she earns 4 × $50 = $200",
    "The cost is 3 × $15 for adults + 2 × $8 for children = $61.",
    "He keeps the rest (60 − 14 = 46).",
    "4 boxes × 6 pencils per box = 24 pencils",
    "(300) + 500 = 200",
    "33% × 300 = 100",
    "21.2 × 90 ≈ 1.91 TB",
    "7 × 365 ≈ 2,500 days",
    "24 + 81 + 6 = 112 (rounded)",
  ])("finds %s right", (text) => {
    expect(judge(text)).toBe("right");
  });

  it.each([
    "(75 − 60)/60 = 20%",
    "12 x 3 = 38",
    "12 × 3 = 37",
    "\\[\\frac{206{,}588 - 181{,}001}{181{,}001} \\approx 0.1614\\]",
    "12 hours × $25/hour = $310",
    "2) 5 + 6 = 12",
    "Zinsen 24.000 × 3,5 % = 940 EUR",
    "60+60+60+75 = 225",
    "12 apples + 5 apples = 18 apples",
    "9 * $2 = $20 every day",
    "Net margin = net income / revenue = 300 / 1,200 = 35%",
    "1.20 / 45.00 = 3.17%",
    "1,120 + 1,185 + 1,240 + 1,315 = 4,760",
    "12 boxes × $25 = $3,000",
    "$45 × 12 = $6,480",
    "5% × 200 = 1,000",
    "1,000(1.05)^3 = 1,175.63",
    "€1.5m × 4.0% = €64,000",
    "Over 4 weeks she earns 4 × $50 = $240",
    "The cost is 3 × $15 for adults + 2 × $8 for children = $65.",
    "He keeps the rest (60 − 14 = 44).",
    "(84 − 120) / 120 = −34%",
    "1,300 / 4 = 335 thousand",
  ])("finds %s wrong", (text) => {
    expect(judge(text)).toBe("wrong");
  });

  it.each([
    ["variables", "2x + 3 = 11, x + 3 = 12"],
    ["a label with a year", "Revenue 2019 = 500 / 2000"],
    ["a quoted mistake", "A common mistake is 12 + 2 = 15."],
    ["a percentage of what it is added to", "10% + $120 = $135, $120 + 10% = $142"],
    ["a percentage without its base", "2 x 0.05% = 100.00"],
    ["a power that canonical text hides", "R² = 722² / (92·5,706) = 0.993"],
    ["a fraction that canonical text hides", "3½ + 1 = 4.5"],
    ["a negative power that canonical text hides", "5 × 10⁻³ = 0.005"],
    ["a compound factor that canonical text hides", "1,000 × 1.05⁵ = 1,276.28"],
    ["a scale", "1 cm = 5 km"],
    ["working hours of a day", "1 day = 9 hours"],
    ["a conversion of units", "100 W × 10 h = 1 kWh. 250 ms = 0.65 s."],
    ["a wrong one, which could be right in other units", "60 km/h × 45 min = 50 km"],
    ["an exchange rate", "5 EUR = 6 USD"],
    ["people of an age", "40% of 50 employees are 30 or older."],
    ["a rounding", "5.4 → 6"],
    ["a result in words", "12 × 5, which gives us 65. 500 - 125 → 385"],
    ["a price in words", "100 shares at $55 = $5,000"],
    ["a speed with its distance", "120 km at 80 km/h = 2 h"],
    ["powers of a factor that canonical text hides", "50/1.04 + 50/1.04² + 50/1.04³ = 138.75"],
    ["a discount factor that canonical text hides", "(1 − 1.09⁻⁴)/0.09 ≈ 3.2397"],
    ["ranges", "Weeks 1-4 = 40 hours. Ages 18–25 = 34%."],
    ["an idiom", "24/7 = 100% availability"],
    ["a link", "See https://example.org/a?size=600x416&k=-1 for more."],
    ["a parameter of something else", "windowBits = 15 + 128 for memLevel = 8"],
    ["another base", "1 + 1 = 10 in binary"],
    ["a date", "12/31/2019 = 100"],
    ["years as names", "2019 - 2018 = 25"],
    ["a time of day", "9:30 + 45 = 10:15"],
    ["code", "```js\nconst a = 2 + 2; // 2 + 2 = 5\n```"],
    ["a long exponent that canonical text hides", "47,500 × 1.0565¹⁰ ≈ €82,300"],
    ["a rate without its base", "1.34 million per 1.9 hectares × 340 ≈ 240 million"],
    ["a root", "sqrt(16) + 2 = 6"],
    ["two kinds of division", "1 ÷ 1/2 = 2 hours"],
    ["a rounded quotient in words", "7 / 2 = 3 (rounded down)"],
    ["hours and minutes", "9 h 50 min + 45 min = 10 h 35 min"],
    ["numbers that are names", "Phase 1 + 2 = 6 weeks"],
    ["a dozen", "2 dozen + 6 = 30 eggs"],
    ["two currencies", "£40 + €20 = £57"],
    ["a result with a footnote", "12 × 3 = 361"],
    ["a quotation", "He said “2 + 3 = 6” and laughed."],
    ["somebody else's sum", "Your sheet shows 120 + 45 = 156."],
    ["a corrected sum", "120 + 45 = 156 should be 165."],
  ])("does not compute %s", (_, text) => {
    expect(judge(text)).toBe("none");
  });

  it("does not compute what the task states", () => {
    const task = "The client writes: 3 x 145 + 2 x 90 = 605. Reply to her.";
    expect(judge("You write that 3 × 145 + 2 × 90 = 605.", task)).toBe("none");
    expect(judge("3 × 145 + 2 × 90 = 606", task)).toBe("wrong");
  });

  it("treats figures of the task as exact", () => {
    const text = "0.25 × 1,000 = 252";
    expect(judge(text)).toBe("right");
    expect(judge(text, "Take 0.25 of 1,000.")).toBe("wrong");
  });

  it("reads no exponent with a leading zero", () => {
    expect(judge("10,001 + 10,002 = 20,001")).toBe("wrong");
  });

  it("accepts every sum of whole numbers, and no other result", () => {
    // Large enough that no unit explains an error of 500: "12 + 3 = 4" can be months and years.
    const number = fc.integer({ min: 10_001, max: 999_999 });
    const numbers = fc.array(number, { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: -500, max: 500 }), (parts, error) => {
        const sum = parts.reduce((total, part) => total + part, 0);
        const stated = sum + error;
        fc.pre(stated > 0 && stated !== sum * 2);
        const text = `${parts.map((part) => part.toLocaleString("en-US")).join(" + ")} = ${stated}`;
        expect(judge(text)).toBe(error === 0 ? "right" : "wrong");
      }),
    );
  });

  it("accepts every quotient that is rounded to the digits shown", () => {
    const number = fc.integer({ min: 1, max: 99_999 });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 4 }), (a, b, digits) => {
        expect(judge(`${a} / ${b} = ${(a / b).toFixed(digits)}`)).not.toBe("wrong");
      }),
    );
  });
});

describe("readFigures", () => {
  it.each([
    ["5,020", ["5020"]],
    ["$ 5.2 million", ["5200000"]],
    ["€1.5bn and 12k", ["1500000000", "12000"]],
    ["14.1%", ["0.141"]],
    ["7 percent", ["0.07"]],
    ["(1,577)", ["-1577"]],
    ["$(62)", ["-62"]],
    ["-3.2% and −4", ["-0.032", "-4"]],
    ["$ -1233 ( 1233 )", ["-1233", "-1233"]],
    ["10-12", ["10", "12"]],
    ["1.250,50 EUR und 3,5 %", ["1250.5", "0.035"]],
    ["5 m of rope, $5m of debt", ["5", "5000000"]],
    ["version 1.2.3, at 9:30, H2O, Q3, #5", []],
  ])("reads %s", (text, values) => {
    expect(readFigures(text).map((figure) => toSigned(figure).toFixed())).toEqual(values);
  });

  it("knows years from amounts", () => {
    const isYear = (text: string) => readFigures(text).map((figure) => figure.isYear);
    expect(isYear("in 2019, $2019, 2,019 and 2019%")).toEqual([true, false, false, false]);
  });
});
