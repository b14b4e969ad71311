/** Say that a page does not exist. */
export const MISSING_STATUSES = [404, 410];

/**
 * A page as fetched from a URL that a deliverable cites. `missing`: its server says that it does not
 * exist (404 or 410). `unreachable`: nothing can be said about it.
 */
export type CitedPage =
  | {
      kind: "page";
      text: string;
      /**
       * Whether a reader may see more than `text`: the page is built by scripts, behind a login or a
       * payment, too long, or a PDF, whose order of words is uncertain.
       */
      isPartial: boolean;
      status?: number;
      /** After redirects. */
      finalUrl?: string;
    }
  | { kind: "missing"; status: number; finalUrl?: string }
  | { kind: "unreachable"; reason: string };

/**
 * The pages of one judgement or review. Returns the stored copy of a page, else stores what
 * `fetchPage` returns; a review of a judgement only reads.
 */
export type PageStore = (url: string, fetchPage: () => Promise<CitedPage>) => Promise<CitedPage>;
