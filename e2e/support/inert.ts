import { expect, type Page } from "@playwright/test";

/** What is typed by who wants a page to do something. Each says `__hostile` if it ever runs. */
export const ATTACKS = [
  "<script>__hostile=1;alert(1)</script>",
  '"><img src=x onerror=__hostile=2 data-hostile>',
  "' onmouseover='__hostile=3' onfocus='__hostile=3' autofocus='",
  "</title></script></textarea><svg onload=__hostile=4 data-hostile>",
  `{{constructor.constructor('__hostile=5')()}} \${7*7} <%= 7*7 %>`,
  "\u202e\u2066javascript:__hostile=6//\u2028\ufeff\u200bx",
  '=HYPERLINK("http://127.0.0.1:1/?"&A1,"x")',
  "<!--<iframe srcdoc='<script>__hostile=7</script>' data-hostile>",
  "]]><style>*{display:none}</style><base href=//127.0.0.1:1/>",
];

export const ALL_ATTACKS = ATTACKS.join("\n");

/** Writes down, in every page from now on, whatever its policy had to stop. Comes before the first page. */
export async function watch(page: Page): Promise<void> {
  page.on("dialog", (dialog) => {
    throw new Error(`a dialog says ${dialog.message()}`);
  });
  await page.addInitScript(() => {
    const stopped: string[] = [];
    Object.assign(window, { __stopped: stopped });
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // A library of ours asks whether it may, and goes without.
      if (blockedURI === "eval") return;
      stopped.push(`${violatedDirective} ${blockedURI}`);
    });
  });
}

/** That nothing of what was typed became anything but text, and nothing ran or tried to. */
export async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const described = (element: Element) => element.outerHTML.slice(0, 120);
    const all = [...document.querySelectorAll("*")];
    const isHandler = ({ name }: Attr) => name.startsWith("on");
    const isKept = (element: Element) =>
      element.closest("head, script, title, svg, textarea, option") !== null ||
      getComputedStyle(element).unicodeBidi.startsWith("isolate") ||
      getComputedStyle(element).display !== "inline";
    return {
      ran: (window as unknown as { __hostile?: number }).__hostile ?? null,
      stopped: (window as unknown as { __stopped: string[] }).__stopped,
      strange: all
        .filter(
          (element) =>
            element.matches("[data-hostile], img[src='x'], iframe, object, embed, base") ||
            [...element.attributes].some(isHandler),
        )
        .map(described),
      turning: all
        .filter((element) =>
          [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && /\u202e/.test(node.nodeValue ?? ""),
          ),
        )
        .filter((element) => !isKept(element))
        .map(described),
      scripts: [...document.scripts].filter(({ nonce, src }) => !nonce && !src).map(described),
      links: [...document.querySelectorAll("a, area, form, use")]
        .map((element) => element.getAttribute("href") ?? element.getAttribute("action") ?? "")
        .filter((to) => !/^(https?:|\/|#|\?|$)/i.test(to)),
    };
  });
  expect(found).toEqual({
    ran: null,
    stopped: [],
    strange: [],
    turning: [],
    scripts: [],
    links: [],
  });
}
