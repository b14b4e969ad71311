// Writes `src/openapi.ts`, the types of the API, which git ignores. What checks or compiles the SDK
// runs this first: `npm run sdk:types`.
import { rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { createApiDocument } from "./api-document";

const file = fileURLToPath(new URL("../src/openapi.ts", import.meta.url));
const types = astToString(await openapiTS(JSON.stringify(createApiDocument())));
// Renamed, because a compiler may be reading the file.
await writeFile(
  `${file}.new`,
  `// Generated from openapi.json by \`npm run sdk:types\`.\n\n${types}`,
);
await rename(`${file}.new`, file);
