import { removeInvisible } from "@/server/judging/canonicalise";
import type { Delivered } from "@/server/judging/requirements/requirement-decider";
import type { Range, RequirementName, RequirementOf } from "@/server/judging/requirements/schema";

/** How a requirement came out. */
export interface Decision {
  passed: boolean;
  /** What was found, in our own words and counts. Public. */
  observed: string;
  /** The same with words of the deliverable or the requirement, for the parties. */
  detail?: string;
}

/** The decision if deciding takes more time or memory than is allowed. */
export const OVER_LIMITS: Decision = {
  passed: false,
  observed: "could not be decided within the limits",
};

/** Returns the decision on a deliverable that can't be read as text. */
export const describeUnreadable = ({ problem }: Delivered): Decision => ({
  passed: false,
  observed: problem ?? "The deliverable can't be read as text.",
});

/** Decides a requirement on a deliverable. Pure and total. */
export type Decide<Name extends RequirementName> = (
  reading: Reading,
  requirement: RequirementOf<Name>,
) => Decision;

/** The decisions of several checks. */
export type Decisions<Names extends RequirementName> = { [Name in Names]: Decide<Name> };

/** The forms in which decisions read a deliverable. Those for comparing phrases are made when needed. */
export class Reading {
  readonly file: Delivered["file"];
  /** In NFC, without invisible characters, with line feeds as line breaks, trimmed. */
  readonly text: string;
  /** The document without a byte order mark; null if it is not text, such as a PDF. */
  readonly source: string | null;
  /** The submitted text as UTF-8. */
  readonly bytes: Buffer;
  #exact: string | undefined;
  #folded: string | undefined;

  constructor({ text, source, file }: Delivered) {
    this.file = file;
    this.text = toReadable(text ?? "").trim();
    this.source = source?.replace(/^\uFEFF/, "") ?? null;
    this.bytes = Buffer.from(text ?? "");
  }

  /** For comparing phrases: white space is one space, quotation marks are straight. */
  get exact(): string {
    this.#exact ??= toComparable(this.text);
    return this.#exact;
  }

  /** Like `exact`, whatever the letter case. */
  get folded(): string {
    this.#folded ??= foldCase(this.exact);
    return this.#folded;
  }
}

const toReadable = (text: string): string =>
  removeInvisible(text.toWellFormed().normalize("NFC")).replace(/\r\n?/g, "\n");

/** Returns a phrase in the form of `Reading.exact`. */
export const normalisePhrase = (phrase: string): string => toComparable(toReadable(phrase).trim());

const toComparable = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑]/g, "-");

/** Removes differences of letter case, that of "ß" and of a final sigma included. */
export const foldCase = (text: string): string =>
  text.toUpperCase().toLowerCase().replaceAll("ς", "σ");

/** Returns a number with its noun: "1 word", "1,200 words". */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? singular : plural}`;
}

export const isWithin = (amount: number, { min, max }: Range): boolean =>
  amount >= (min ?? 0) && amount <= (max ?? Number.POSITIVE_INFINITY);

/** Shortens a detail, which is stored. */
export const shortenDetail = (text: string): string =>
  text.length <= 2_000 ? text : `${text.slice(0, 1_999).toWellFormed()}…`;

/** Returns the member names that a JSON Pointer leads through. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
