// Checks which folders import each other, and that there are no import cycles; type imports count.
// Checks that no client component imports a validator.
// Prints each violation and exits with 1 if there is one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

/** A domain may import those after it in this list, and only `events.ts` of those before it. */
const DOMAINS = [
  "alerts",
  "webhooks",
  "explorer",
  "feedback",
  "settlement",
  "payouts",
  "reputation",
  "disputes",
  "escrows",
  "outcomes",
  "agreements",
];
/** Domains that import no other. */
const INDEPENDENT = ["judging", "agents", "identities"];
const ALL_DOMAINS = [...DOMAINS, ...INDEPENDENT];
const BELOW_DOMAINS = ["chain", "outbound", "mail", "rate-limit", "db", "lib"];

/**
 * The folders of `server/` that each folder may import. Tests and `server/testing` may import
 * everything; so may scripts, bench and e2e, except `app`.
 */
const SERVER = {
  lib: [],
  db: ["lib"],
  outbound: ["lib"],
  mail: ["lib"],
  "rate-limit": ["db", "lib"],
  chain: ["db", "lib"],
  engine: ["db", "lib"],
  rest: ["rate-limit", "db", "lib"],
  mcp: ["rest", "rate-limit", "lib"],
  ...Object.fromEntries(
    DOMAINS.map((domain, at) => [
      domain,
      [...DOMAINS.slice(at + 1), ...INDEPENDENT, ...BELOW_DOMAINS],
    ]),
  ),
  ...Object.fromEntries(INDEPENDENT.map((domain) => [domain, BELOW_DOMAINS])),
  // An agent's account links its identity.
  agents: ["identities", ...BELOW_DOMAINS],
  operations: [...ALL_DOMAINS, "engine", ...BELOW_DOMAINS],
  bootstrap: [...ALL_DOMAINS, "operations", "engine", "rest", "mcp", ...BELOW_DOMAINS],
  local: ["bootstrap", "db", "lib"],
  http: ["bootstrap", "rest", "mcp", "chain", "rate-limit", "lib"],
  pages: ["bootstrap", "rest", "mcp", "agents", "lib"],
};

/** Returns the reason why `file` must not import `target`, or null if it may. */
function findViolation(file, target) {
  const [top, folder] = target.split("/");
  if (/\.test\.tsx?$/.test(file) || file.startsWith("server/testing/")) return null;
  if (file.startsWith("packages/sdk/")) {
    return target.startsWith("packages/sdk/") ? null : "the SDK is independent of the service";
  }
  if (top === "app") return file.startsWith("app/") ? null : "nothing imports app/";
  const [ownTop, ownFolder] = file.split("/");
  if (file.startsWith("components/ui/")) {
    return target.startsWith("components/ui/")
      ? null
      : "components/ui/ is independent of this product";
  }
  if (ownTop === "components") {
    if (ownFolder === "verify" && VERIFIER.has(target)) return null;
    return top === "components" || /^server\/.+\/schema\.ts$/.test(target) || PUBLIC.has(target)
      ? null
      : "components import only schema.ts of the server and the type of its API";
  }
  if (ownTop === "server" && top === "server" && folder !== ownFolder) {
    const isEvents = ALL_DOMAINS.includes(ownFolder) && /^server\/\w+\/events\.ts$/.test(target);
    if (!isEvents && !SERVER[ownFolder]?.includes(folder)) {
      return `server/${ownFolder} may import ${SERVER[ownFolder]?.join(", ") || "nothing above it"}`;
    }
  }
  return ownTop === "server" && !["server", "contracts"].includes(top) && target !== SUMMARY
    ? "the server must not import its callers"
    : null;
}
/** A part of what wallets sign, so the service and its client share it. */
const SUMMARY = "packages/sdk/src/summarize.ts";

/** Files of the server that the browser may import besides the schemas. */
const PUBLIC = new Set([
  "server/bootstrap/api.ts",
  "server/agents/endpoint-kinds.ts",
  "server/agreements/periods.ts",
  "server/agreements/typed-data.ts",
  "server/chain/registry/read-logs.ts",
  "server/disputes/parties.ts",
  "server/escrows/limits.ts",
  "server/judging/requirements/describe.ts",
  "server/lib/bidi.ts",
  "server/lib/build-url.ts",
  "server/lib/category-name.ts",
  "server/lib/describe-limit.ts",
  "server/lib/time.ts",
  "server/lib/usdc.ts",
  "server/outcomes/job-name.ts",
  "server/outcomes/list-parties.ts",
  "server/reputation/policy.ts",
]);

/** Pure files of the server that `/verify` runs in the browser's worker to recompute a score. */
const VERIFIER = new Set([
  "server/chain/node-transport.ts",
  "server/chain/registry/decode-records.ts",
  "server/chain/registry/record-encodings.ts",
  "server/chain/registry/read-registry.ts",
  "server/explorer/compare-agreements.ts",
  "server/explorer/compare-shown.ts",
  "server/explorer/compare-with-ledger.ts",
  "server/explorer/compare-x402-receipts.ts",
  "server/explorer/unproven.ts",
  "server/reputation/score/group-ledger.ts",
]);

/** Returns the files of this project that each file imports. */
function readImports() {
  const files = ["app", "components", "server", "scripts", "bench", "e2e", "packages/sdk/src"]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith(".d.ts"));
  return new Map([...files, "server.ts"].map((file) => [file, listImports(file)]));
}

function listImports(file) {
  return parseImports(file)
    .map(({ request }) => resolve(file, request))
    .filter((target) => target !== null);
}

function parseImports(file) {
  const { staticImports, staticExports } = parseSync(file, readFileSync(file, "utf8")).module;
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      request: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({ request: moduleRequest?.value, isType })),
    ),
  ];
}

/** Returns the imports by which browsers would load the validator with `file`, or null if they do not. */
function findValidator(file, seen = new Set()) {
  for (const { request, isType } of parseImports(file)) {
    if (request === "zod" && !isType) return [file, request];
    const target = isType ? null : resolve(file, request);
    if (target === null || seen.has(target)) continue;
    seen.add(target);
    const path = findValidator(target, seen);
    if (path) return [file, ...path];
  }
  return null;
}

function resolve(file, request) {
  if (!/^(@\/|\.)/.test(request ?? "")) return null;
  const path = request.startsWith("@/") ? request.slice(2) : join(dirname(file), request);
  return (
    [path, `${path}.ts`, `${path}.tsx`].find((name) => /\.\w+$/.test(name) && existsSync(name)) ??
    null
  );
}

/** Returns the import cycles, each as a list of files that starts and ends with the same one. */
function findCycles(imports) {
  const cycles = [];
  const state = new Map();
  const visit = (file, path) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      cycles.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    state.set(file, "open");
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, "done");
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

const isClientComponent = (file) => /^"use client"/m.test(readFileSync(file, "utf8"));

const imports = readImports();
const violations = [...imports].flatMap(([file, targets]) =>
  targets.flatMap((target) => {
    const reason = findViolation(file, target);
    return reason ? [`${file} imports ${target}: ${reason}`] : [];
  }),
);
const problems = [
  ...violations,
  ...[...imports.keys()].filter(isClientComponent).flatMap((file) => {
    const path = findValidator(file);
    return path ? [`Browsers would load a validator: ${path.join(" → ")}`] : [];
  }),
  ...findCycles(imports).map((files) => `Import cycle: ${files.join(" → ")}`),
];
console.log(
  problems.length > 0 ? problems.join("\n") : `${imports.size} files follow the import rules.`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
