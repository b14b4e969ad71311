import { Code } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Fold } from "@/components/ui/fold";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ApiBody, ApiError, ApiOperation, ApiSchema } from "@/server/pages/schema";
import { createCurlCommand } from "./curl-command";
import { API_KEYS, describeType, findFields, listConstraints, listValues } from "./describe-schema";
import { InlineCode } from "./inline-code";
import { MethodBadge } from "./operation-list";

const PLACES = { path: "Path parameters", query: "Query parameters", header: "Headers" } as const;

interface Props {
  operation: ApiOperation;
  /** Base URL of the API, without a trailing slash. */
  api: string;
}

/** Documents one operation: description and fields on the left, examples on the right. */
export function OperationView({ operation, api }: Props) {
  const { method, path, summary, request, response, errors } = operation;
  const isEvent = method === "EVENT";
  return (
    <article>
      <h1 className="text-3xl font-semibold">{summary}</h1>
      {!isEvent && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <MethodBadge method={method} />
          <code className="break-all">{path}</code>
        </p>
      )}
      <div className="mt-6 grid grid-cols-1 gap-x-8 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-8">
          <Description operation={operation} />
          {Object.entries(PLACES).map(([place, title]) => (
            <Section key={place} title={title} fields={listParameters(operation, place)} />
          ))}
          {request && (
            <Section
              title={isEvent ? "Payload" : "Request body"}
              note={request.mediaType}
              fields={listFields(request.schema)}
            />
          )}
          {!isEvent && (
            <Section
              title="Response"
              note={[response.status, response.body?.mediaType ?? "no body"].join(", ")}
              fields={response.body ? listBodyFields(response.body) : NO_BODY}
            />
          )}
          {errors.length > 0 && <Errors errors={errors} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          {listExamples(operation, api).map(([title, code, name]) => (
            <CodeExample key={title} title={title} code={code} name={name} />
          ))}
        </div>
      </div>
    </article>
  );
}

/** A longer description is folded after its first sentence. */
const MAX_SHOWN = 500;

/** Describes an operation: its first sentence, the others smaller, and whether it needs a key. */
function Description({ operation: { method, description, apiKey } }: Pick<Props, "operation">) {
  const [first = "", ...others] = description.split(/(?<=\.) (?=[A-Z`])/);
  return (
    <div>
      <p>
        <InlineCode>{first}</InlineCode>
      </p>
      {others.length > 0 && (
        <Fold summary="Details" open={description.length < MAX_SHOWN} className="mt-2">
          <p className="text-sm text-muted">
            <InlineCode>{others.join(" ")}</InlineCode>
          </p>
        </Fold>
      )}
      {method !== "EVENT" && (
        <p className="mt-3 text-sm font-medium">
          <InlineCode>{API_KEYS[apiKey]}</InlineCode>
        </p>
      )}
    </div>
  );
}

const format = (value: unknown) => JSON.stringify(value, null, 2);

function listExamples(operation: ApiOperation, api: string) {
  const { method, request, response } = operation;
  if (method === "EVENT") return [["Payload", format(request?.example), "payload"]] as const;
  return [
    ["Request", createCurlCommand(api, operation), "curl command"] as const,
    ...(response.body ? [["Response", format(response.body.example), "response"] as const] : []),
  ];
}

interface SectionProps {
  title: string;
  note?: string;
  fields: Field[] | string;
}

/** Lists fields below a title, or says why there are none; renders nothing for an empty list. */
function Section({ title, note = "", fields }: SectionProps) {
  if (fields.length === 0) return null;
  return (
    <section>
      <SectionTitle title={title} note={note} />
      {typeof fields === "string" ? (
        <p className="py-3 text-sm text-muted">{fields}</p>
      ) : (
        <FieldList fields={fields} />
      )}
    </section>
  );
}

const NO_BODY = "The response has no body.";

const SectionTitle = ({ title, note }: { title: string; note: string }) => (
  <h2 className="flex flex-wrap items-baseline gap-x-3 border-b border-line pb-2 text-xl font-semibold">
    {title}
    <span className="font-sans text-sm font-normal text-muted">{note}</span>
  </h2>
);

/** Errors that most operations can return. */
const COMMON = [
  ...["invalid-request", "malformed-json", "unauthenticated", "wallet-mismatch", "forbidden"],
  ...["body-too-large", "unsupported-media-type", "rate-limited", "internal-error", "unavailable"],
];

function Errors({ errors }: { errors: ApiError[] }) {
  const common = errors.filter(({ code }) => COMMON.includes(code));
  return (
    <section>
      <SectionTitle title="Errors" note="application/problem+json" />
      <ErrorList errors={errors.filter((error) => !common.includes(error))} />
      {common.length > 0 && (
        <Fold summary={formatCount(common.length, "common error")} className="mt-3">
          <ErrorList errors={common} />
        </Fold>
      )}
    </section>
  );
}

const ErrorList = ({ errors }: { errors: ApiError[] }) => (
  <ul className="divide-y divide-line text-sm">
    {errors.map(({ status, code, description }) => (
      <li
        key={code}
        className="grid grid-cols-[2.5rem_1fr] gap-x-2 py-2 sm:grid-cols-[2.5rem_12rem_1fr]"
      >
        <span className="text-muted">{status}</span>
        <Link
          href={`/problems/${code}`}
          className="font-mono text-[0.8125rem] break-all underline underline-offset-2"
        >
          {code}
        </Link>
        <span className="text-muted max-sm:col-start-2">{description}</span>
      </li>
    ))}
  </ul>
);

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

interface Field {
  name: string;
  schema: ApiSchema;
  isOptional?: boolean;
  description?: string | undefined;
  /** Fields inside the value, or its alternative shapes. */
  fields: Field[];
  hasShapes: boolean;
}

const listParameters = ({ parameters }: ApiOperation, place: string): Field[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required, description }) => ({
      ...describeField(name, schema),
      isOptional: !required,
      description,
    }));

/** Lists the fields of a response's body. An array or a map has none of its own: its items unfold. */
function listBodyFields({ schema }: ApiBody): Field[] {
  const fields = listFields(schema);
  return fields.length > 0 ? fields : [describeField(schema.title ?? "body", schema)];
}

/**
 * Lists the fields of an object and which may be missing, or its alternative shapes, each named by its `type`
 * field if it has one.
 */
function listFields({ properties = {}, required = [], ...schema }: ApiSchema): Field[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) {
    return variants.map((variant) =>
      describeField(String(variant.properties?.type?.const ?? describeType(variant)), variant),
    );
  }
  return Object.entries(properties).map(([name, property]) => ({
    ...describeField(name, property),
    isOptional: !required.includes(name),
  }));
}

function describeField(name: string, schema: ApiSchema): Field {
  const nested = findFields(schema);
  return {
    name,
    schema,
    description: schema.description,
    fields: nested ? listFields(nested) : [],
    hasShapes: Boolean(nested?.oneOf ?? nested?.anyOf),
  };
}

/** Describes fields: name, type, limits, values, and on demand the fields inside. */
function FieldList({ fields }: { fields: Field[] }) {
  return (
    <ul className="divide-y divide-line">
      {fields.map(({ name, schema, isOptional, description, hasShapes, fields: inner }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields never change.
        <li key={index} className="py-3">
          <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 text-sm">
            <code className="font-semibold break-all">{name}</code>
            <span className="text-muted">
              {[describeType(schema), ...listConstraints(schema), isOptional && "optional"]
                .filter((fact) => fact && fact !== name)
                .join(", ")}
            </span>
          </p>
          {description && (
            <p className="mt-1 text-sm text-muted">
              <InlineCode>{description}</InlineCode>
            </p>
          )}
          <p className="mt-1.5 flex flex-wrap gap-1.5 empty:hidden">
            {listValues(schema).map((value) => (
              <code
                key={value}
                className="rounded border border-line px-1.5 py-px text-xs text-muted"
              >
                {value}
              </code>
            ))}
          </p>
          {inner.length > 0 && (
            <Fold
              summary={formatCount(inner.length, hasShapes ? "shape" : "field")}
              // A body of several shapes shows the first one.
              open={index === 0 && describeType(schema) === name}
              className="mt-2 border-l-2 border-line pl-4"
            >
              <FieldList fields={inner} />
            </Fold>
          )}
        </li>
      ))}
    </ul>
  );
}
