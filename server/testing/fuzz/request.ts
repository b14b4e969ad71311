import fc from "fast-check";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { anyText } from "@/server/testing/fixtures/any-text";
import type { Operation, Parameter } from "./contract";
import type { FuzzRequest } from "./send";

/** The sender of a request. */
export type Caller = "contractor" | "requester" | "stranger" | "anonymous" | "forger";

/** Existing values that requests can refer to. */
export interface KnownData {
  keys: Record<Caller, string | null>;
  wallets: string[];
  /** By field name in responses: `outcomeId`, `webhookId`, … */
  ids: Map<string, string[]>;
  hashes: string[];
  urls: string[];
}

/** The plan of a request; every part of it shrinks. */
export interface Plan {
  caller: Caller;
  /** Seed of the values that the schemas leave open. */
  seed: number;
  /** Mutations of the request; without any it conforms to the OpenAPI document. */
  mutations: Mutation[];
  header: { name: string; value: string } | null;
  /** Sent instead of the generated body. */
  raw: string | null;
}

interface Mutation {
  /** Index of the value, modulo their number. */
  where: number;
  how: unknown;
}

export interface Request extends FuzzRequest {
  /** Whether the document allows it; null if only its prose decides. */
  allowed: boolean | null;
}

const ABSENT = Symbol("absent");
const EXTRA = Symbol("an extra property");

const nestArrays = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));

const anyNastyValue = fc.oneof(
  fc.constantFrom<unknown>(ABSENT, EXTRA),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    -0,
    1e308,
    2 ** 53,
    1e-7,
    [],
    {},
    [[]],
    nestArrays(500),
  ),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "\u202e",
    "%",
    "%00",
    "..",
    "NaN",
    "1e309",
    "0x10",
    "-1",
    "00000000-0000-0000-0000-000000000000",
    `0x${"0".repeat(40)}`,
    "__proto__",
    "' or 1=1 --",
    "javascript:alert(1)",
    "http://user:pw@127.0.0.1/",
    "http://127.0.0.1:1024/",
    "http://169.254.169.254/latest",
    "x".repeat(3_000),
    "x".repeat(600_000),
  ),
  anyText({ maxLength: 40 }),
);

const header = fc.record({
  name: fc.constantFrom(
    "X-Wallet-Address",
    "Idempotency-Key",
    "If-None-Match",
    "Content-Type",
    "Content-Encoding",
    "X-Request-Id",
    "traceparent",
    "Cookie",
    "Origin",
    "X-HTTP-Method-Override",
  ),
  value: fc.oneof(
    fc.constantFrom("*", '"x"', "application/json", "text/plain", "gzip", "DELETE", "null"),
    fc.string({
      maxLength: 300,
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    }),
  ),
});

/** Generates null `nulls` times as often as a value. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, nulls: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: nulls, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  caller: fc.constantFrom<Caller[]>("contractor", "requester", "stranger", "anonymous", "forger"),
  seed: fc.nat(),
  mutations: fc.oneof(
    fc.constant<Mutation[]>([]),
    fc.array(fc.record({ where: fc.nat(60), how: anyNastyValue }), { minLength: 1, maxLength: 3 }),
  ),
  header: rarely(header, 3),
  raw: rarely(fc.constantFrom("", "{", "nul", "[1,]", "{}{}", "\ufeff{}", "'{}'"), 15),
});

/** Builds the request that a plan makes of an operation. */
export function buildRequest(operation: Operation, plan: Plan, known: KnownData): Request {
  const values = generateValues(operation, plan, known);
  for (const mutation of plan.mutations) applyMutation(values, mutation);
  return serializeRequest(operation, values, plan, known);
}

type Values = Record<"path" | "query" | "body", Record<string, unknown>>;

/** Generates values that match the schemas; the body is in a separate field. */
function generateValues({ parameters, body }: Operation, { seed }: Plan, known: KnownData): Values {
  const values: Values = { path: {}, query: {}, body: {} };
  for (const [index, { in: place, name, schema, required }] of parameters.entries()) {
    if (place === "header" || (!required && (seed >> index) % 2 === 0)) continue;
    values[place][name] = generateValue(name, schema, seed + index, known);
  }
  if (body) values.body.whole = generateValue("", body.schema, seed, known);
  return values;
}

function generateValue(name: string, schema: object, seed: number, known: KnownData): unknown {
  const value = generateSync(schema as JsonSchema, {
    seed,
    optionalsProbability: 0.6,
    maxDefaultItems: 4,
    maxLength: 300,
    formats: { uri: (random) => random.pick(known.urls) },
  });
  return insertKnownValues(name, value, seed, known);
}

/** Makes half of the wallets, ids and hashes existing ones; amounts get six decimals. */
function insertKnownValues(name: string, value: unknown, seed: number, known: KnownData): unknown {
  if (typeof value === "number") return Number(value.toFixed(6));
  if (typeof value === "string") {
    const candidates = known.ids.get(name) ?? findSimilar(value, known);
    return candidates[seed % (2 * candidates.length || 1)] ?? value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((one, index) => insertKnownValues(name, one, seed + index, known));
  }
  return Object.fromEntries(
    Object.entries(value).map(([own, one], index) => [
      own,
      insertKnownValues(own, one, seed + index * 7, known),
    ]),
  );
}

function findSimilar(value: string, known: KnownData): string[] {
  if (/^0x[0-9a-f]{40}$/i.test(value)) return known.wallets;
  return /^0x[0-9a-f]{64}$/i.test(value) ? known.hashes : [];
}

/** Replaces one value by another. */
function applyMutation(values: Values, { where, how }: Mutation): void {
  const places = [
    ...listPlaces(values.path),
    ...listPlaces(values.query),
    ...listPlaces(values.body),
  ];
  const place = places[where % (places.length || 1)];
  if (!place) return;
  const { owner, key } = place;
  if (how === ABSENT) delete owner[key];
  else if (how === EXTRA) owner[`${key}2`] = 1;
  else owner[key] = typeof how === "symbol" ? how : structuredClone(how);
}

interface Place {
  owner: Record<string, unknown>;
  key: string;
}

function listPlaces(node: unknown): Place[] {
  if (typeof node !== "object" || node === null) return [];
  const owner = node as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...listPlaces(owner[key])]);
}

function serializeRequest(
  operation: Operation,
  values: Values,
  plan: Plan,
  known: KnownData,
): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeSegment(toText(values.path[name] ?? "")),
  );
  const query = Object.entries(values.query).map(
    ([name, value]) => `${encodeText(name)}=${encodeText(toText(value))}`,
  );
  const generated = values.body.whole === undefined ? null : JSON.stringify(values.body.whole);
  const body = operation.body && plan.raw !== null ? plan.raw : generated;
  const key = known.keys[plan.caller];
  const { method } = operation;
  const headers: Record<string, string> = {
    "X-Forwarded-For": `198.51.100.${plan.seed % 256}`,
    ...(operation.takesKey && key !== null ? { "X-API-Key": key } : {}),
    ...(body === null ? {} : { "Content-Type": "application/json" }),
    ...(method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body ?? "")) }),
    ...(plan.header ? { [plan.header.name]: plan.header.value } : {}),
  };
  return {
    method,
    target: query.length > 0 ? `${path}?${query.join("&")}` : path,
    headers,
    body,
    allowed: isConforming(operation, values, plan),
  };
}

/** The document omits HTTP's own headers; a claimed wallet counts only with a key. */
const NOT_IN_DOCUMENT = /^content-|^x-wallet-address$/i;
/** The document restricts amounts, URLs, cursors and requirements further in prose. */
const RESTRICTED_IN_PROSE = /Usdc$|url$|^(website|endpoint|source|cursor|check|from|to)$/i;

function isConforming(operation: Operation, values: Values, plan: Plan): boolean | null {
  // An empty body counts as `{}`, which some operations accept.
  if (operation.body && plan.raw !== null) return plan.raw === "" ? null : false;
  if (!isAllowed(operation, values, plan)) return hasAbsentField(values.body) ? null : false;
  const texts = [...listPlaces(values)].map(({ owner, key }) => [key, owner[key]] as const);
  const vague = texts.some(
    ([key, value]) =>
      RESTRICTED_IN_PROSE.test(key) ||
      (typeof value === "string" ? isUnusual(value) : isTooLarge(value)),
  );
  return vague || NOT_IN_DOCUMENT.test(plan.header?.name ?? "") ? null : true;
}

/** Returns whether a field might count as absent, which the document allows only in its prose. */
function hasAbsentField(body: unknown): boolean {
  return listPlaces(body).some(({ owner, key }) => owner[key] === null || owner[key] === "");
}

/** Matches characters that names and descriptions refuse: controls, separators and invisible ones. */
const UNUSUAL = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns whether the text would be trimmed, cannot be stored in Postgres, or has characters that some
 * fields refuse: no schema expresses that.
 */
function isUnusual(text: string): boolean {
  return text.trim() === "" || UNUSUAL.test(text) || !text.isWellFormed();
}

function isTooLarge(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function isAllowed({ parameters, body }: Operation, values: Values, { header }: Plan): boolean {
  const fits = parameters.every(({ in: place, name, required, allows, schema }: Parameter) => {
    const value =
      place === "header"
        ? header?.name === name && !NOT_IN_DOCUMENT.test(name)
          ? header.value
          : undefined
        : values[place][name];
    return value === undefined ? !required : allows(parseText(toText(value), schema));
  });
  const isKnown = (name: string) =>
    parameters.some((one) => one.in === "query" && one.name === name);
  if (!fits || !Object.keys(values.query).every(isKnown)) return false;
  if (!body) return true;
  return values.body.whole === undefined ? !body.required : body.allows(values.body.whole);
}

/** Parses a parameter's text to the type in its schema. */
function parseText(text: string, schema: { [key: string]: unknown }): unknown {
  if (schema.type === "boolean") return text === "true" || (text === "false" ? false : text);
  const isNumber = schema.type === "integer" || schema.type === "number";
  const number = isNumber && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Short enough for the server to read the request's head. */
const encodeText = (text: string) => encodeURIComponent(text.slice(0, 1_000).toWellFormed());

/** Encodes a path segment; one of dots alone would change the path. */
const encodeSegment = (text: string) => encodeText(text).replace(/^\.{1,2}$/, "x");
