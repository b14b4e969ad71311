import type { ApiSchema } from "@/server/pages/schema";
import { describeType, findFields, listConstraints, listValues } from "./describe-schema";
import { InlineCode } from "./inline-code";

/** Whether the service or the caller reads the value. */
type Side = "request" | "response";

interface FieldsProps {
  schema: ApiSchema;
  side: Side;
}

/** Lists the fields of an object; fields of nested objects unfold. */
export function SchemaFields({ schema, side }: FieldsProps) {
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
export function SchemaField({ name, schema, side, mark, description }: FieldProps) {
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
