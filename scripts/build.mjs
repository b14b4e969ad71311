// Builds what `npm start` and the Docker image run: the pages, and the compiled server.
import { ensureBuild } from "./lib/build.mjs";
import { printError } from "./lib/command-error.mjs";
import { offerHelp } from "./lib/help.mjs";

offerHelp("Usage: npm run build\nBuilds the pages and the server, if they are stale.");
try {
  await ensureBuild();
} catch (error) {
  printError(error);
  process.exit(1);
}
