import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = { [key: string]: unknown };

/** A JSON Schema and its validator. */
export interface Shape {
  schema: Json;
  allows: ValidateFunction;
}

export interface Parameter extends Shape {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
}

/** An operation in the document, with its references resolved. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: (Shape & { required: boolean }) | null;
  takesKey: boolean;
  /** By status. */
  responses: Map<number, DocumentedResponse>;
}

interface DocumentedResponse {
  /** By media type. */
  content: Map<string, ValidateFunction>;
  /** By name in lower case. */
  headers: Map<string, ValidateFunction>;
}

const METHODS = ["get", "post", "patch", "put", "delete"];

/**
 * Returns every operation of an OpenAPI 3.1 document, with compiled schemas (JSON Schema 2020-12).
 */
export function readOperations(document: Json): Operation[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");

  const getNode = (steps: string[]) =>
    steps.reduce<unknown>((node, step) => (node as Json)[step], document);
  const readShape = (steps: string[]): Shape => ({
    schema: { ...(getNode(steps) as Json), components: document.components },
    allows: ajv.compile({ $ref: `openapi#/${steps.map(escapeStep).join("/")}` }),
  });
  /** Resolves a reference at `steps` to the path of its target. */
  const followReference = (steps: string[]): string[] => {
    const ref = (getNode(steps) as Json).$ref;
    return typeof ref === "string" ? ref.replace(/^#\//, "").split("/") : steps;
  };

  function readOperation(path: string, method: string): Operation {
    const here = ["paths", path, method];
    const operation = getNode(here) as Json & { parameters?: Json[]; responses: Json };
    const body = operation.requestBody as Json | undefined;
    return {
      id: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((_, index) => {
        const steps = followReference([...here, "parameters", String(index)]);
        const { name, in: place, required } = getNode(steps) as Json;
        return {
          name: String(name),
          in: place as Parameter["in"],
          required: required === true,
          ...readShape([...steps, "schema"]),
        };
      }),
      body: body
        ? {
            required: body.required === true,
            ...readShape([...here, "requestBody", "content", "application/json", "schema"]),
          }
        : null,
      takesKey: ((operation.security ?? []) as Json[]).some((one) => "ApiKey" in one),
      responses: new Map(
        Object.keys(operation.responses).map((status) => [
          Number(status),
          readResponse(followReference([...here, "responses", status])),
        ]),
      ),
    };
  }

  function readResponse(steps: string[]): DocumentedResponse {
    const { content = {}, headers = {} } = getNode(steps) as { content?: Json; headers?: Json };
    return {
      content: new Map(
        Object.keys(content).map((type) => [
          type,
          readShape([...steps, "content", type, "schema"]).allows,
        ]),
      ),
      headers: new Map(
        Object.keys(headers).map((name) => [
          name.toLowerCase(),
          readShape([...followReference([...steps, "headers", name]), "schema"]).allows,
        ]),
      ),
    };
  }

  return Object.entries(document.paths as Json).flatMap(([path, item]) =>
    METHODS.filter((method) => method in (item as Json)).map((method) =>
      readOperation(path, method),
    ),
  );
}

/** Escapes a step of a JSON Pointer within a URI fragment. */
function escapeStep(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
