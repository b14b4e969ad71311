export type { BenchResult, BuiltinRun, FirstContact } from "./bench-result";

/** A JSON Schema of the API document. References are replaced by what they name. */
export interface ApiSchema {
  /** Name of the schema in the document. */
  title?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, ApiSchema>;
  required?: string[];
  items?: ApiSchema;
  additionalProperties?: boolean | ApiSchema;
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
}

export interface ApiParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: ApiSchema;
  example: unknown;
}

/** A request or response body. */
export interface ApiBody {
  mediaType: string;
  schema: ApiSchema;
  example: unknown;
}

export interface ApiResponse {
  status: number;
  headers: { name: string; description: string }[];
  body: ApiBody | null;
}

export interface ApiError {
  status: number;
  code: string;
  description: string;
}

/** An operation of the API, or an event that a webhook receives. */
export interface ApiOperation {
  /** Identifies its page, such as `submit-outcome`. */
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE" | "EVENT";
  /** Path below `/api/v1`; the event's name for an event. */
  path: string;
  summary: string;
  description: string;
  apiKey: "none" | "optional" | "required";
  parameters: ApiParameter[];
  request: ApiBody | null;
  response: ApiResponse;
  errors: ApiError[];
}

export interface ApiTag {
  name: string;
  description: string;
  operations: ApiOperation[];
}

/** A parameter with an invalid value, which is ignored, as in the URL. */
export type WrongParameter = readonly [name: string, text: string];
