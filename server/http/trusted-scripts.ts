import { hash } from "node:crypto";

/**
 * Makes a rendered page independent of its nonce, so that many visitors can get the same bytes.
 * Returns the page without the nonce and the sources that allow its inline scripts in a content
 * security policy: a hash of each script that carries the nonce. A script without it, such as one in
 * injected markup, gets no hash and so stays blocked. `nonce` must be unguessable and alphanumeric.
 */
export function replaceNonce(html: string, nonce: string): { html: string; sources: string[] } {
  const withoutNonce = html.replaceAll(` nonce="${nonce}"`, "").replaceAll(nonce, "");
  const scripts = html.matchAll(
    new RegExp(
      `<script\\b(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>([\\s\\S]*?)</script>`,
      "g",
    ),
  );
  const sources = [...scripts].map(
    ([, text = ""]) => `'sha256-${hash("sha256", text.replaceAll(nonce, ""), "base64")}'`,
  );
  return { html: withoutNonce, sources: [...new Set(sources)] };
}
