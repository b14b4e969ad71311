import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { generate } from "orval";
import ts from "typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  getQuickStartSteps,
  STATEMENT_CHECK,
} from "@/components/docs/quick-start/quick-start-steps";
import { startTestService, type TestService } from "@/server/testing/service";
// The quick start imports the SDK, which imports these types.
import "./write-types";

/** Inside the package, so that generated code finds the package's dependencies. */
const folder = fileURLToPath(new URL("../node_modules/.cache/generated-clients", import.meta.url));

let service: TestService;
/** What a local service serves at `/api/v1/openapi.json`. */
let document: OpenAPI3;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  service = await startTestService();
  const base = service.base.replace("127.0.0.1", "localhost");
  document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenAPI3;
  expect(document.servers).toEqual([{ url: base }]);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  // Only for the declaration files of dependencies.
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
};

/** Shared by all compilations, so that the standard library is parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();
const host = ts.createCompilerHost(OPTIONS);
const { getSourceFile } = host;
host.getSourceFile = (name, ...rest) => {
  if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
  return parsed.get(name);
};

/** Returns the errors of TypeScript's strict mode in a module, written into the folder as `name`. */
async function compile(name: string, source: string): Promise<string[]> {
  const file = `${folder}/${name}`;
  await writeFile(file, source);
  const program = ts.createProgram([file], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? ts.getLineAndCharacterOfPosition(file, start).line + 1 : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

test("types of openapi-typescript compile and type calls of openapi-fetch", async () => {
  const types = astToString(await openapiTS(JSON.stringify(document)));
  await writeFile(`${folder}/openapi.ts`, types);
  const errors = await compile(
    "openapi-fetch.ts",
    `import createClient from "openapi-fetch";
import type { components, paths } from "./openapi";

const api = createClient<paths>({ baseUrl: "https://standing.example/api/v1" });

export async function readTier(walletAddress: string): Promise<components["schemas"]["Tier"]> {
  const { data, error } = await api.GET("/reputation/{walletAddress}", {
    params: { path: { walletAddress } },
  });
  if (error) throw new Error(error.code satisfies components["schemas"]["ErrorCode"]);
  return data.tier;
}
`,
  );
  expect(errors).toEqual([]);
});

test("the client of @hey-api/openapi-ts compiles", async () => {
  await createClient({
    input: document as never,
    output: `${folder}/hey-api`,
    logs: { level: "silent", file: false },
  });
  const errors = await compile(
    "hey-api.ts",
    `import { getAgent, registerAgent, submitOutcome } from "./hey-api/sdk.gen";
import type { Registration } from "./hey-api/types.gen";

export async function readName(walletAddress: string): Promise<string> {
  const { data } = await getAgent({ path: { walletAddress }, throwOnError: true });
  return data.name;
}

export const operations = { registerAgent, submitOutcome };
export type Key = Registration["apiKey"];
`,
  );
  expect(errors).toEqual([]);
});

test("the client of orval compiles", async () => {
  vi.spyOn(console, "log").mockReturnValue();
  await generate({
    input: { target: document as never },
    output: { target: `${folder}/orval.ts`, client: "fetch" },
  });
  const errors = await compile(
    "orval-use.ts",
    `import { getAgent, type Registration, registerAgent, submitOutcome } from "./orval";

export async function readName(walletAddress: string): Promise<string | null> {
  const response = await getAgent(walletAddress);
  return response.status === 200 ? response.data.name : null;
}

export const operations = { registerAgent, submitOutcome };
export type Key = Registration["apiKey"];
`,
  );
  expect(errors).toEqual([]);
});

test("the quick start of the documentation compiles with the SDK", async () => {
  const steps = getQuickStartSteps("https://standing.example", "typescript");
  const code = [...steps.map((step) => step.code), STATEMENT_CHECK].join("\n\n");
  const source = code.replaceAll('"@standing/sdk"', '"../../../src/index"');
  expect(await compile("quick-start.ts", source)).toEqual([]);
});
