import { transform } from "esbuild";

/** Runs a module's code and returns the value of `result`, an expression in it. */
export async function runTypeScript(source: string, result: string) {
  const { code } = await transform(source.replace(/^export /gm, ""), {
    loader: "ts",
    target: "es2022",
  });
  const body = code.replace(/^import (\{.*\}) from ("[^"]+");$/gm, "const $1 = await load($2);");
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction("load", `${body}\nreturn ${result};`);
  return run((name: string) => import(name));
}
