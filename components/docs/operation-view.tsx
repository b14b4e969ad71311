import Link from "next/link";
import type { ReactNode } from "react";
import { Code } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import type {
  ApiBody,
  ApiError,
  ApiOperation,
  ApiParameter,
  ApiSchema,
} from "@/server/pages/schema";
import { createCurlCommand } from "./curl-command";
import { describeType, findFields, listConstraints, listValues } from "./describe-schema";
import { InlineCode } from "./inline-code";
import { MethodBadge } from "./operation-list";
import { TryOperation } from "./try-operation";

const KEYS: Record<ApiOperation["apiKey"], string> = {
  none: "Public, no API key",
  optional: "API key optional: your own records show more",
  required: "API key required in X-API-Key",
};
const PLACES = { path: "Path parameters", query: "Query parameters", header: "Headers" } as const;

interface Props {
  operation: ApiOperation;
  tag: string;
  /** Base URL of the API, without a trailing slash. */
  api: string;
}

/** Documents one operation: description and fields on the left, examples on the right. */
export function OperationView({ operation, tag, api }: Props) {
  const { method, path, summary, description, apiKey, request, response, errors } = operation;
  const isEvent = method === "EVENT";
  const sentences = description.split(/(?<=\.) (?=[A-Z`])/);
  const isCallable = method === "GET" && response.body?.mediaType === "application/json";
  return (
    <article>
      <p className="text-sm text-muted">{tag}</p>
      <h1 className="mt-1 text-3xl font-semibold">{summary}</h1>
      {!isEvent && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <MethodBadge method={method} />
          <code className="break-all">{path}</code>
        </p>
      )}
      <div className="mt-6 grid grid-cols-1 gap-x-8 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-8">
          <div>
            <p>
              <InlineCode>{sentences[0] ?? ""}</InlineCode>
            </p>
            {sentences.length > 1 && (
              <p className="mt-2 text-sm text-muted">
                <InlineCode>{sentences.slice(1).join(" ")}</InlineCode>
              </p>
            )}
            {!isEvent && <p className="mt-3 text-sm font-medium">{KEYS[apiKey]}</p>}
          </div>
          <Parameters parameters={operation.parameters} />
          {request && (
            <Section title={isEvent ? "Payload" : "Request body"} note={request.mediaType}>
              <SchemaFields schema={request.schema} side={isEvent ? "response" : "request"} />
            </Section>
          )}
          {!isEvent && (
            <Section
              title="Response"
              note={[response.status, response.body?.mediaType ?? "no body"].join(", ")}
            >
              <ResponseFields body={response.body} />
            </Section>
          )}
          {errors.length > 0 && <Errors errors={errors} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          {!isEvent && (
            <CodeExample
              title="Request"
              code={createCurlCommand(api, operation)}
              name="curl command"
            />
          )}
          {isEvent && request && (
            <CodeExample title="Payload" code={format(request.example)} name="payload" />
          )}
          {!isEvent && response.body && (
            <CodeExample title="Response" code={format(response.body.example)} name="response" />
          )}
          {isCallable && (
            <TryOperation
              path={path}
              parameters={operation.parameters.filter((one) => one.in !== "header")}
              isKeyed={apiKey !== "none"}
            />
          )}
        </div>
      </div>
    </article>
  );
}

const format = (value: unknown) => JSON.stringify(value, null, 2);

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="flex flex-wrap items-baseline gap-x-3 border-b border-line pb-2 text-xl font-semibold">
        {title}
        <span className="font-sans text-sm font-normal text-muted">{note}</span>
      </h2>
      {children}
    </section>
  );
}

function Parameters({ parameters }: { parameters: ApiParameter[] }) {
  return (["path", "query", "header"] as const).map((place) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    if (found.length === 0) return null;
    return (
      <Section key={place} title={PLACES[place]} note="">
        <ul className="divide-y divide-line">
          {found.map(({ name, schema, required, description }) => (
            <li key={name} className="py-3">
              <SchemaField
                name={name}
                schema={schema}
                side="request"
                mark={required ? "required" : undefined}
                description={description}
              />
            </li>
          ))}
        </ul>
      </Section>
    );
  });
}

function ResponseFields({ body }: { body: ApiBody | null }) {
  if (!body) return <p className="py-3 text-sm text-muted">The response has no body.</p>;
  const { schema } = body;
  // An array or a map has no fields of its own: its items unfold.
  if (schema.properties || schema.oneOf || schema.anyOf)
    return <SchemaFields schema={schema} side="response" />;
  return (
    <div className="py-3">
      <SchemaField name={schema.title ?? "body"} schema={schema} side="response" />
    </div>
  );
}

function Errors({ errors }: { errors: ApiError[] }) {
  return (
    <Section title="Errors" note="application/problem+json">
      <ul className="divide-y divide-line text-sm">
        {errors.map(({ status, code, description }) => (
          <li key={code} className="grid grid-cols-[3rem_1fr] gap-x-2 py-2">
            <span className="text-muted">{status}</span>
            <span>
              <Link
                href={`/problems/${code}`}
                prefetch={false}
                className="inline-block py-0.5 font-mono text-[0.8125rem] break-all underline underline-offset-2"
              >
                {code}
              </Link>
              <span className="block text-muted">{description}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface CodeExampleProps {
  title: string;
  code: string;
  /** Names the code for screen readers. */
  name: string;
}

/** Shows code with its title and a copy button above. */
export function CodeExample({ title, code, name }: CodeExampleProps) {
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between">
        <h2 className="text-base font-semibold">{title}</h2>
        <CopyButton text={code} label={`Copy: ${name}`} />
      </div>
      <section aria-label={name} className="rounded-md bg-sunken px-4 py-3">
        <Code code={code} />
      </section>
    </div>
  );
}

/** Whether the service or the caller reads the value. */
type Side = "request" | "response";

interface FieldsProps {
  schema: ApiSchema;
  side: Side;
}

/** Lists the fields of an object; fields of nested objects unfold. */
function SchemaFields({ schema, side }: FieldsProps) {
  const { properties, required = [], oneOf, anyOf } = schema;
  const variants = oneOf ?? anyOf;
  if (variants) return <Variants variants={variants} side={side} />;
  return (
    <ul className="divide-y divide-line">
      {Object.entries(properties ?? {}).map(([name, property]) => (
        <li key={name} className="py-3">
          <SchemaField
            name={name}
            schema={property}
            side={side}
            mark={markField(side, required.includes(name))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Marks request fields that are required, and response fields that may be missing. */
function markField(side: Side, isRequired: boolean): FieldProps["mark"] {
  if (side === "request") return isRequired ? "required" : undefined;
  return isRequired ? undefined : "optional";
}

interface FieldProps {
  name: string;
  schema: ApiSchema;
  side: Side;
  mark?: "required" | "optional" | undefined;
  description?: string;
}

/** Describes one field or parameter: name, type, limits, values and nested fields. */
function SchemaField({ name, schema, side, mark, description }: FieldProps) {
  const text = description ?? schema.description;
  const values = listValues(schema);
  const nested = findFields(schema);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 text-sm">
        <code className="font-semibold break-all">{name}</code>
        <span className="text-muted">
          {[describeType(schema), ...listConstraints(schema)].join(", ")}
        </span>
        {mark && (
          <span
            className={`text-xs ${mark === "required" ? "font-medium text-bad" : "text-muted"}`}
          >
            {mark}
          </span>
        )}
      </p>
      {text && (
        <p className="mt-1 text-sm text-muted">
          <InlineCode>{text}</InlineCode>
        </p>
      )}
      {values.length > 0 && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          {values.map((value) => (
            <code
              key={value}
              className="rounded border border-line px-1.5 py-px text-xs text-muted"
            >
              {value}
            </code>
          ))}
        </p>
      )}
      {nested && (
        <details className="group mt-2">
          <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1.5 text-sm text-accent">
            <span aria-hidden="true" className="transition-transform group-open:rotate-90">
              ›
            </span>
            {countFields(nested)}
          </summary>
          <div className="mt-1 border-l-2 border-line pl-4">
            <SchemaFields schema={nested} side={side} />
          </div>
        </details>
      )}
    </>
  );
}

function countFields({ properties, oneOf, anyOf }: ApiSchema): string {
  const variants = oneOf ?? anyOf;
  if (variants) return `${variants.length} shapes`;
  const count = Object.keys(properties ?? {}).length;
  return count === 1 ? "1 field" : `${count} fields`;
}

/** Lists alternative shapes, each named by its `type` field if it has one. */
function Variants({ variants, side }: { variants: ApiSchema[]; side: Side }) {
  return (
    <ul className="grid gap-2 py-3">
      {variants.map((variant, index) => {
        const kind = variant.properties?.type?.const;
        return (
          <li key={String(kind ?? index)}>
            <details className="group rounded-md bg-sunken px-3 py-2">
              <summary className="cursor-pointer text-sm">
                <code className="font-semibold">{String(kind ?? describeType(variant))}</code>
                <span className="text-muted">, {countFields(variant)}</span>
              </summary>
              <SchemaFields schema={variant} side={side} />
            </details>
          </li>
        );
      })}
    </ul>
  );
}
