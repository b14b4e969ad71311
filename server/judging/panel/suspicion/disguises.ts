import { rotate13 } from "@/server/judging/panel/prompt-injection";

const MORSE =
  "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..";
const LETTER_OF_MORSE = new Map(MORSE.split(" ").map((sign) => [sign.slice(1), sign.charAt(0)]));
const LETTER_OF_DIGIT: Record<string, string> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
};

/** Readings of a line in disguises that are no encoding of bytes; see `prompt-injection.ts`. */
export function decodeDisguise(line: string): string[] {
  const readings = [rotate13(line), [...line].reverse().join("")];
  if (line.includes("&#")) {
    readings.push(
      line.replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, code: string) => {
        const point = Number.parseInt(code, hex ? 16 : 10);
        return point < 0x110000 ? String.fromCodePoint(point) : "";
      }),
    );
  }
  if (/(?:[.-]{1,5} ){6}/.test(line)) {
    readings.push(
      line
        .split(/\s*\/\s*| {2,}/)
        .map((word) =>
          word
            .split(" ")
            .map((sign) => LETTER_OF_MORSE.get(sign) ?? "")
            .join(""),
        )
        .join(" "),
    );
  }
  if (/\p{L}[0134557@$]|[013457@$]\p{L}/u.test(line)) {
    const read = (one: string) =>
      line
        .toLowerCase()
        .replace(/[013457@$]/g, (sign) => (sign === "1" ? one : (LETTER_OF_DIGIT[sign] ?? sign)));
    readings.push(read("i"), read("l"));
  }
  if (/(?:\p{L} ){6}/u.test(line)) readings.push(line.replace(/(?<=\S) (?=\S(?: |$))/gu, ""));
  return readings;
}
