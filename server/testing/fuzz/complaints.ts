import type { ValidateFunction } from "ajv";
import type { Operation } from "./contract";
import type { Answered } from "./send";

/** Of HTTP itself, or said of every answer alike in the document's description. */
const EVERYWHERE = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-type",
  "content-length",
  "vary",
  "traceparent",
  "x-content-type-options",
  "content-security-policy",
  "referrer-policy",
  "cross-origin-resource-policy",
  "access-control-allow-origin",
  "access-control-expose-headers",
]);

/** Everything in which an answer differs from what the document promises of the operation. */
export function complaints(operation: Operation, { status, headers, text }: Answered): string[] {
  const documented = operation.answers.get(status);
  if (status >= 500 && status !== 503) return [`a fault of the service: ${status} ${text}`];
  if (!documented) return [`status ${status} is not documented`];
  const found: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const allows = documented.headers.get(name);
    // A header that is a number is one to its schema, unless that asks for a string.
    if (allows && !allows(value)) found.push(...refused(`header ${name}`, allows, Number(value)));
    if (!allows && !EVERYWHERE.has(name))
      found.push(`header ${name} of ${status} is not documented`);
  }
  for (const name of documented.headers.keys()) {
    if (MUST.has(name) && !(name in headers)) found.push(`header ${name} of ${status} is missing`);
  }
  const type = headers["content-type"];
  if (documented.content.size === 0) {
    if (text !== "" || type) found.push(`${status} has a body, ${type}`);
    return found;
  }
  const allows = documented.content.get(type ?? "");
  if (!allows) return [...found, `media type ${type} of ${status} is not documented`];
  for (const value of valuesOf(type ?? "", text)) found.push(...refused("body", allows, value));
  return found;
}

/** The document says of the others when they are there. */
const MUST = new Set(["x-request-id", "www-authenticate"]);

function valuesOf(type: string, text: string): unknown[] {
  if (type !== "application/jsonl") return [JSON.parse(text)];
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function refused(what: string, allows: ValidateFunction, value: unknown): string[] {
  if (allows(value)) return [];
  return (allows.errors ?? []).map(
    ({ instancePath, message }) => `${what}${instancePath} ${message}: ${JSON.stringify(value)}`,
  );
}
