/** Describes the page to search engines, as a schema.org object (JSON-LD). Texts may be untrusted. */
export function StructuredData({ data }: { data: object }) {
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: no text in it can end the script.
      dangerouslySetInnerHTML={{ __html: renderStructuredData(data) }}
    />
  );
}

/** Returns JSON that is safe inside a script element: without `<`, nothing can end it. */
function renderStructuredData(data: object): string {
  return JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
}
