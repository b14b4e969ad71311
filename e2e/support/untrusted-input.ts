import { hash } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "playwright/test";
import { type Agent, post } from "./api";

/** Injection attempts. Each sets `__hostile` if it ever runs. */
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

export const HOSTILE_URL = `http://127.0.0.1:1024/${ATTACKS[1]}?<script>__hostile=8</script>#'"`;

/** Submits an outcome whose every text is an attack. Returns its ID. */
export async function submitHostile(
  request: APIRequestContext,
  contractor: Agent,
  requester: Agent,
): Promise<string> {
  const { outcomeId } = await post(request, "/outcome", contractor, {
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: ALL_ATTACKS,
    taskCategory: "content",
    deliverableContent: ALL_ATTACKS,
    deliverableUrl: HOSTILE_URL,
    valueUsdc: 20,
  });
  return outcomeId;
}

/** The content security policy of the document that a page shows. */
const policies = new WeakMap<Page, string>();

/** Records policies and their violations in all pages. Must be called before the first navigation. */
export async function watchViolations(page: Page): Promise<void> {
  page.on("dialog", (dialog) => {
    throw new Error(`unexpected dialog: ${dialog.message()}`);
  });
  page.on("response", (response) => {
    if (!response.request().isNavigationRequest()) return;
    policies.set(page, response.headers()["content-security-policy"] ?? "");
  });
  await page.addInitScript(() => {
    const blocked: string[] = [];
    Object.assign(window, { __blocked: blocked });
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // A library probes for eval and works without it.
      if (blockedURI === "eval") return;
      blocked.push(`${violatedDirective} ${blockedURI}`);
    });
  });
}

/** Expects untrusted input to be rendered as text only: no script ran or was blocked. */
export async function expectInert(page: Page): Promise<void> {
  const { inlineScripts, ...found } = await page.evaluate(() => {
    const describe = (element: Element) => element.outerHTML.slice(0, 120);
    const all = [...document.querySelectorAll("*")];
    const isHandler = ({ name }: Attr) => name.startsWith("on");
    const isIsolated = (element: Element) =>
      element.closest("head, script, title, svg, textarea, option") !== null ||
      getComputedStyle(element).unicodeBidi.startsWith("isolate") ||
      getComputedStyle(element).display !== "inline";
    return {
      ran: (window as unknown as { __hostile?: number }).__hostile ?? null,
      blocked: (window as unknown as { __blocked: string[] }).__blocked,
      foreignElements: all
        .filter(
          (element) =>
            element.matches("[data-hostile], img[src='x'], iframe, object, embed, base") ||
            [...element.attributes].some(isHandler),
        )
        .map(describe),
      unisolatedBidi: all
        .filter((element) =>
          [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && /\u202e/.test(node.nodeValue ?? ""),
          ),
        )
        .filter((element) => !isIsolated(element))
        .map(describe),
      // Structured data for search engines is not run.
      inlineScripts: [...document.scripts]
        .filter(({ nonce, src, type }) => !nonce && !src && type !== "application/ld+json")
        .map(({ text }) => text),
      links: [...document.querySelectorAll("a, area, form, use")]
        .map((element) => element.getAttribute("href") ?? element.getAttribute("action") ?? "")
        .filter((to) => !/^(https?:|\/|#|\?|$)/i.test(to)),
    };
  });
  const policy = policies.get(page) ?? "";
  // A shared page has the hashes of its own scripts in its policy.
  const scripts = inlineScripts.filter(
    (text) => !policy.includes(`'sha256-${hash("sha256", text, "base64")}'`),
  );
  expect({ ...found, scripts }).toEqual({
    ran: null,
    blocked: [],
    foreignElements: [],
    unisolatedBidi: [],
    scripts: [],
    links: [],
  });
}
