/** What requirements are decided on. */
export interface Delivered {
  /** What a reader sees, or null if the deliverable can't be read as text. */
  text: string | null;
  /**
   * The submitted content, or the document before an HTML page is reduced to its text; null if it is
   * not a text document, such as a PDF.
   */
  source: string | null;
  /** The document behind `deliverableUrl`; null if the content was submitted. */
  file: { sha256: string; mediaType: string; bytes: number } | null;
  /** Why there is no text, as a sentence for the public; null if there is. */
  problem: string | null;
}
