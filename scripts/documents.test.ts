import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listRequirementKinds } from "@/server/agreements/list-kinds";
import { SERVER_ARGS } from "./lib/compile.mjs";

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
/** Link targets that are not file paths. */
const EXTERNAL = /^(https?:|mailto:|#)/;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

/** Returns `DOCUMENT: NAME` for each first group of `pattern` for which `exists` returns false. */
function listMissing(
  pattern: RegExp,
  exists: (name: string, document: string) => boolean,
): string[] {
  return DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(pattern)]
      .map(([, name = ""]) => name)
      .filter((name) => !exists(name, document))
      .map((name) => `${document}: ${name}`),
  );
}

test("documents name only existing npm scripts", () => {
  expect(listMissing(/npm run (?:--silent )?([\w:-]*\w)/g, (name) => name in scripts)).toEqual([]);
});

test("the image and the documented command start the service as npm start does", () => {
  const command = `node ${SERVER_ARGS.join(" ")}`;
  const [, image = "[]"] = /^CMD (\[.*\])$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  expect(JSON.parse(image).join(" ")).toBe(command);
  expect(readFileSync("docs/operations.md", "utf8")).toContain(
    `\nNODE_ENV=production ${command}\n`,
  );
});

test("documents link only to existing files", () => {
  const exists = (target: string, document: string) =>
    EXTERNAL.test(target) || existsSync(join(dirname(document), target.split("#", 1)[0] ?? ""));
  expect(listMissing(/\]\(([^)\s]+)\)/g, exists)).toEqual([]);
});

test("documents name only existing files in commands and code", () => {
  const path = /^(?:npm|node|npx) [^\n]*?((?:server|scripts|bench|e2e|contracts)\/[\w./-]+\w)/gm;
  expect(listMissing(path, (name) => existsSync(name))).toEqual([]);
  const inline = /`((?:server|scripts|bench|e2e|contracts|app|components)\/[\w./-]+\.\w+)`/g;
  expect(listMissing(inline, (name) => existsSync(name))).toEqual([]);
});

test("architecture.md lists exactly the folders of the server", () => {
  const table = readFileSync("docs/architecture.md", "utf8").split("## Import rules", 1)[0] ?? "";
  const listed = [...table.matchAll(/`server\/([\w-]+)\/`/g)].map(([, name]) => name);
  const folders = readdirSync("server", { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(new Set(listed)).toEqual(new Set(folders.map(({ name }) => name)));
});

test("agreements.md lists every requirement as GET /requirements describes it", () => {
  const manual = readFileSync("docs/agreements.md", "utf8");
  const rows = manual.split("\n").filter((line) => /^\| `[\w-]+` \| .* \| .* \|$/.test(line));
  const expected = listRequirementKinds().map(({ check, schema, description }) => {
    const parameters = Object.keys(schema.properties ?? {}).filter((name) => name !== "check");
    return `| \`${check}\` | ${parameters.map((name) => `\`${name}\``).join(", ")} | ${description} |`;
  });
  expect(rows).toEqual(expected);
});
