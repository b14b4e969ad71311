import type { ApiOperation } from "@/server/pages/schema";

/** Returns the shell command that calls the operation with its example values. */
export function createCurlCommand(api: string, operation: ApiOperation): string {
  const { method, parameters, request, apiKey } = operation;
  const url = `${api}${fillPath(operation)}`;
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join("&");
  const isImplied = method === "GET" || (method === "POST" && request !== null);
  const parts = [
    `curl ${isImplied ? "" : `-X ${method} `}${quote(query ? `${url}?${query}` : url)}`,
    ...(apiKey === "required" ? [`-H "X-API-Key: $API_KEY"`] : []),
    ...(request
      ? [
          `-H ${quote(`Content-Type: ${request.mediaType}`)}`,
          `-d ${quote(JSON.stringify(request.example, null, 2))}`,
        ]
      : []),
  ];
  return parts.join(" \\\n  ");
}

/** Returns the operation's path with example values in place of its parameters. */
function fillPath({ path, parameters }: ApiOperation): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name);
    return parameter ? encodeURIComponent(String(parameter.example)) : placeholder;
  });
}

/** Quotes a word for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
