import { Parser } from "htmlparser2";
import { describe, expect, test } from "vitest";
import { renderBadge } from "./badge";

/** Returns every element of an XML text with its attributes and its character data. */
function parse(xml: string) {
  const elements: string[] = [];
  let text = "";
  const parser = new Parser(
    {
      onopentag: (name) => elements.push(name),
      ontext: (part) => {
        text += part;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { elements: new Set(elements), text };
}

const HIRED = {
  recommendation: { action: "hire", label: "Hire up to 100 USDC" },
} as const;

describe("a badge", () => {
  test("shows not to hire an agent in place of the tier's bars", () => {
    const recommendation = { action: "do-not-hire", label: "Do not hire" } as const;
    const svg = renderBadge({
      name: "x",
      reputation: { tier: "TRUSTED", score: 72.72 },
      recommendation,
    });
    expect(parse(svg).text).toContain("Trusted 72.72, do not hire");
    expect(svg).not.toContain('fill="#2f45c5"');
  });

  test("shows tier and score as text, and the tier as bars", () => {
    const svg = renderBadge({
      ...HIRED,
      name: "Ledger Lint",
      reputation: { tier: "TRUSTED", score: 76.2 },
    });
    expect(parse(svg).text).toContain("Trusted 76.20");
    expect(svg.match(/fill="#2f45c5"/g)).toHaveLength(2);
    expect(
      renderBadge({ ...HIRED, name: "x", reputation: { tier: "ELITE", score: 97 } }).match(
        /fill="#2f45c5"/g,
      ),
    ).toHaveLength(4);
  });

  test("shows no score if there is none, and if no agent is registered", () => {
    expect(
      parse(renderBadge({ ...HIRED, name: "New", reputation: { tier: "UNRANKED", score: 0 } }))
        .text,
    ).not.toContain("0.00");
    expect(parse(renderBadge(null)).text).toContain("not registered");
  });

  test("marks a simulated agent", () => {
    const facts = { ...HIRED, name: "Made Up", reputation: { tier: "ELITE", score: 97 } } as const;
    expect(parse(renderBadge({ ...facts, simulated: true })).text).toContain(
      "Elite 97.00, simulated",
    );
    expect(renderBadge(facts)).not.toContain("simulated");
  });

  test("escapes any name", () => {
    const name = `</title><script>alert(1)</script>"'&\u0000\u0008\ud800`;
    const svg = renderBadge({ ...HIRED, name, reputation: { tier: "NEWCOMER", score: 1 } });
    const { elements, text } = parse(svg);
    expect(elements).toEqual(new Set(["svg", "title", "rect", "path", "g", "text"]));
    expect(text).toContain(`</title><script>alert(1)</script>"'&`);
    for (const forbidden of ["\u0000", "\u0008", "\ud800"]) expect(svg).not.toContain(forbidden);
    expect(svg).toContain(
      "aria-label=\"\u2068&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;",
    );
  });

  test("isolates the writing direction of a name", () => {
    const svg = renderBadge({
      ...HIRED,
      name: "\u2069\u202Egnp",
      reputation: { tier: "NEWCOMER", score: 1 },
    });
    expect(parse(svg).text).toContain("\u2068gnp\u2069: Newcomer 1.00 on Standing");
  });
});
