import { hash } from "node:crypto";
import type { RenderedPage } from "./render-page";

interface PageWithoutNonce extends Omit<RenderedPage, "status"> {
  /** Number of inline scripts that the policy allows. */
  inlineScripts: number;
}

/**
 * Makes a rendered page independent of the nonce in its content security policy, so that many
 * visitors can get the same bytes: the policy gets the hash of each inline script that carries the
 * nonce. A script without it, such as one in injected markup, gets no hash and so stays blocked.
 * Returns null if the policy has no nonce.
 */
export function replaceNonce({ headers, html }: RenderedPage): PageWithoutNonce | null {
  const { "content-security-policy": policy, link, ...others } = headers;
  const nonce = /'nonce-([\w-]+)'/.exec(String(policy))?.[1];
  if (nonce === undefined) return null;
  const hashes = listTrustedScripts(html, nonce).map(
    (script) => `'sha256-${hash("sha256", script.replaceAll(nonce, ""), "base64")}'`,
  );
  return {
    headers: {
      ...others,
      ...(link ? { link: link.toString().replaceAll(`; nonce="${nonce}"`, "") } : {}),
      "content-security-policy": policy?.toString().replace(`'nonce-${nonce}'`, hashes.join(" ")),
    },
    html: html.replaceAll(` nonce="${nonce}"`, "").replaceAll(nonce, ""),
    inlineScripts: hashes.length,
  };
}

/** Returns the texts of the inline scripts that carry the nonce. */
function listTrustedScripts(html: string, nonce: string): string[] {
  const pattern = `<script\\b(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>([\\s\\S]*?)</script>`;
  return [...html.matchAll(new RegExp(pattern, "g"))].map(([, text = ""]) => text);
}
