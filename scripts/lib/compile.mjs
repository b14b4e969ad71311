/** Folder of the compiled code, which runs without a TypeScript loader. */
export const COMPILED = "dist";

/**
 * Limit of the main thread's heap in MiB, twice what lives in it under load. Without a limit, V8 lets
 * garbage pile up to a gigabyte on a machine with much memory.
 */
const HEAP_MIB = 400;

/**
 * Limit in MiB of each half of the space for new objects. With V8's default, 16, what lives for the time of
 * a batch is copied several times, and some of it ends up in the old space.
 */
const YOUNG_MIB = 32;

/** Node arguments that run the compiled server from the project's folder. */
export const SERVER_ARGS = [
  "--enable-source-maps",
  `--max-old-space-size=${HEAP_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  `${COMPILED}/server.mjs`,
];

/** Operator commands, which must also run on an install without development dependencies. */
const COMMANDS = ["anchors", "ops", "rejudge", "score", "verify"];

/** Oldest major version of Node that runs the compiled code. */
export const OLDEST_NODE = 24;

/** Source files that are run or loaded by path, by their path in `dist`. */
const ENTRY_POINTS = {
  server: "program:server.ts",
  ...Object.fromEntries(COMMANDS.map((name) => [`scripts/${name}`, `program:scripts/${name}.ts`])),
  // A worker thread, loaded from its parent's folder.
  "pdf-worker": "server/judging/documents/pdf-worker.mjs",
};

/** The modules whose functions run in worker threads; see `server/lib/process/worker-pool.ts`. */
const WORKER_MODULES = [
  "server/judging/canonicalise-case",
  "server/judging/checks/check-texts",
  "server/judging/checks/sources/attributed-quotations",
  "server/judging/documents/visible-text",
  "server/judging/examination/private-text-index",
  "server/judging/examination/public-reasoning",
  "server/judging/requirements/decisions/decide-texts",
  "server/judging/requirements/decisions/quotations",
  "server/judging/requirements/decisions/validate-requirements",
  "server/reputation/evidence/recompute",
  "server/reputation/refresh-chunk",
  "server/rest/request/parse-json",
];

/**
 * Compiles an entry point `program:FILE` to a version check that loads FILE afterwards: an older Node
 * would fail in one of its modules, before any line of its own runs.
 */
const checkNodeFirst = {
  name: "check Node first",
  setup(build) {
    build.onResolve({ filter: /^program:/ }, ({ path }) => ({ path, namespace: "program" }));
    build.onLoad({ filter: /^program:/, namespace: "program" }, ({ path }) => ({
      contents: `
        if (Number.parseInt(process.versions.node) < ${OLDEST_NODE}) {
          console.error(\`Node \${process.versions.node} is too old: Standing needs Node ${OLDEST_NODE} or later.\`);
          process.exit(2);
        }
        await import("./${path.slice("program:".length)}");`,
      resolveDir: process.cwd(),
    }));
  },
};

/** Bundles first-party code into `dist`; packages stay in `node_modules`. Throws on compile errors. */
export async function compile(options = {}) {
  // Imported on demand: an install without development dependencies must still start.
  const { build } = await import("esbuild");
  return build({ ...getCompilerOptions("production"), ...options });
}

/**
 * Compiles the server into `.dev`, and again whenever one of its files changes. Calls `onCompiled`
 * after each success; esbuild prints compile errors.
 */
export async function compileOnChange(onCompiled) {
  const { context } = await import("esbuild");
  const options = getCompilerOptions("development");
  const setup = (build) => {
    build.onEnd(({ errors }) => errors.length === 0 && onCompiled());
  };
  const compiler = await context({
    ...options,
    entryPoints: { server: ENTRY_POINTS.server, "pdf-worker": ENTRY_POINTS["pdf-worker"] },
    outdir: ".dev",
    logLevel: "warning",
    plugins: [...options.plugins, { name: "notify", setup }],
  });
  await compiler.watch();
}

function getCompilerOptions(mode) {
  return {
    entryPoints: {
      ...ENTRY_POINTS,
      ...Object.fromEntries(WORKER_MODULES.map((path) => [path, `${path}.ts`])),
    },
    plugins: [checkNodeFirst],
    outdir: COMPILED,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: `node${OLDEST_NODE}`,
    sourcemap: true,
    // Node keeps the maps in memory; stack traces need only their positions.
    sourcesContent: false,
    minifySyntax: mode === "production",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    logLevel: "silent",
  };
}
