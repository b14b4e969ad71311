import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createParser, publicProcedure, type RestMeta, router } from "@/server/lib/trpc";
import { createProcedureEndpoint } from "./endpoints";
import { compileRoutes } from "./routes";

const texts = {
  operationId: "getTrial",
  summary: "s",
  description: "d",
  tag: "Agents",
  key: "none",
  status: 200,
} as const;

function procedure(rest: Pick<RestMeta, "method" | "path"> & Partial<RestMeta>, input: z.ZodType) {
  return publicProcedure
    .meta({ rest: { ...texts, ...rest } })
    .input(createParser(input))
    .output(z.string())
    .query(() => "");
}

function listFieldNames(
  rest: Pick<RestMeta, "method" | "path"> & Partial<RestMeta>,
  input: z.ZodType,
) {
  const [route] = compileRoutes(router({ trial: procedure(rest, input) }));
  const { path, query, body } = route?.input ?? {};
  return [path, query, body?.fields, body?.whole && [body.whole]].map(
    (fields) => fields?.map(({ name }) => name) ?? null,
  );
}

const input = z.strictObject({ id: z.uuid(), a: z.int(), b: z.string().optional() });

describe("compileRoutes", () => {
  it("takes a field from the path, or else from query or body depending on the method", () => {
    const path = "/x/{id}";
    expect(listFieldNames({ method: "GET", path }, input)).toEqual([
      ["id"],
      ["a", "b"],
      null,
      null,
    ]);
    expect(listFieldNames({ method: "DELETE", path }, input)).toEqual([
      ["id"],
      ["a", "b"],
      null,
      null,
    ]);
    expect(listFieldNames({ method: "POST", path }, input)).toEqual([["id"], [], ["a", "b"], null]);
    expect(listFieldNames({ method: "POST", path, bodyField: "a" }, input)).toEqual([
      ["id"],
      ["b"],
      [],
      ["a"],
    ]);
  });

  it("refuses meta that does not fit the schemas", () => {
    const compile = (
      rest: Pick<RestMeta, "method" | "path"> & Partial<RestMeta>,
      schema: z.ZodType = input,
    ) => compileRoutes(router({ trial: procedure(rest, schema) }));
    expect(() => compile({ method: "GET", path: "/x/{nope}" })).toThrow(
      "trial: path parameter nope",
    );
    expect(() => compile({ method: "GET", path: "/x", bodyField: "a" })).toThrow("GET has no body");
    expect(() => compile({ method: "POST", path: "/x", bodyField: "c" })).toThrow("bodyField c");
    expect(() => compile({ method: "GET", path: "/x" }, z.string())).toThrow(
      "input is not an object",
    );
    expect(() => compile({ method: "GET", path: "/x" }, z.object({ a: z.int() }))).toThrow(
      "input accepts unknown fields",
    );
    const unparsed = publicProcedure.input(input).query(() => "");
    expect(() => compileRoutes(router({ unparsed }))).toThrow("unparsed: needs createParser");
    const bare = publicProcedure.meta({ rest: { ...texts, method: "GET", path: "/x" } });
    expect(() => compileRoutes(router({ trial: bare.query(() => "") }))).toThrow(
      "no output schema",
    );
  });

  it("refuses a plain handler of anything but a read without a key", () => {
    const create = (rest: Pick<RestMeta, "method" | "key">) => {
      const trial = router({ trial: procedure({ path: "/x", ...rest }, input) });
      const [route] = compileRoutes(trial);
      return route && createProcedureEndpoint(trial, route, async () => ({}));
    };
    expect(() => create({ method: "GET", key: "none" })).not.toThrow();
    expect(() => create({ method: "GET", key: "optional" })).toThrow("a read without a key");
    expect(() => create({ method: "POST", key: "none" })).toThrow("a read without a key");
  });

  it("takes the response schema from the meta if the procedure has no output", () => {
    const response = z.strictObject({ a: z.int() });
    const hot = publicProcedure.meta({ rest: { ...texts, method: "GET", path: "/x", response } });
    const [route] = compileRoutes(router({ trial: hot.query(() => ({ a: 1 })) }));
    expect(route?.output).toBe(response);
  });

  it("refuses two procedures with the same method and path", () => {
    const one = procedure({ method: "GET", path: "/x/{id}" }, input);
    const two = procedure({ method: "GET", path: "/x/{a}" }, input);
    expect(() => compileRoutes(router({ one, two }))).toThrow("two: GET /x/{} exists already");
  });
});
