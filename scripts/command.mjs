// Runs an operator's command: node scripts/command.mjs NAME [ARGUMENT…]. A checkout with
// development dependencies runs its source; any other install runs the compiled version.
import { existsSync } from "node:fs";

const [name] = process.argv.splice(2, 1);
if (existsSync("node_modules/tsx")) {
  await import("tsx");
  await import(`./${name}.ts`);
} else {
  process.setSourceMapsEnabled(true);
  await import(`../dist/scripts/${name}.mjs`);
}
