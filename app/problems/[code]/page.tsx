import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { InlineCode } from "@/components/docs/inline-code";
import { OperationLinks } from "@/components/docs/operation-list";
import { CodeExample } from "@/components/docs/operation-view";
import { Fold } from "@/components/ui/fold";
import { formatCount } from "@/components/ui/format";
import { ERRORS, type ErrorCode } from "@/server/lib/errors";
import { getApiReference } from "@/server/pages/api-reference";
import { createProblemExample } from "@/server/rest/openapi/components";

type Props = PageProps<"/problems/[code]">;

/** A longer list is folded. */
const MAX_OPERATIONS = 12;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title, help } = ERRORS[parseCode((await params).code)];
  return { title, description: help.replaceAll("`", "") };
}

/** Explains the error that a problem response's `type` links to, and how to fix it. */
export default async function ProblemPage({ params }: Props) {
  const code = parseCode((await params).code);
  const { title, status, help } = ERRORS[code];
  await connection();
  const operations = (await getApiReference())
    .flatMap((tag) => tag.operations)
    .filter(({ errors }) => errors.some((error) => error.code === code));
  return (
    <article className="mx-auto grid max-w-2xl grid-cols-1 gap-8 py-6">
      <div>
        <p className="text-muted">
          HTTP {status}, <code>{code}</code>
        </p>
        <h1 className="mt-1 text-3xl font-semibold">{title}</h1>
      </div>
      <section>
        <h2 className="text-xl font-semibold">How to fix it</h2>
        <p className="mt-2">
          <InlineCode>{markCode(help)}</InlineCode>
        </p>
      </section>
      <section>
        <CodeExample
          title="Example response"
          code={JSON.stringify(createProblemExample(code, operations[0]?.path).value, null, 2)}
          name="example response"
        />
        <p className="mt-2 text-sm text-muted">
          <code>detail</code> says what was wrong; <code>requestId</code> identifies the request in
          our log.
        </p>
      </section>
      {operations.length > 0 && (
        <section>
          <h2 className="text-xl font-semibold">Operations that return it</h2>
          <Fold
            summary={formatCount(operations.length, "operation")}
            open={operations.length <= MAX_OPERATIONS}
            className="mt-2"
          >
            <OperationLinks operations={operations} />
          </Fold>
        </section>
      )}
    </article>
  );
}

/** Headers, operations and names of fields. */
const CODE =
  /(?:GET|POST|PATCH|PUT|DELETE) \/[\w/{}-]*\w\}?|X-[\w-]+|[A-Z][a-z]+(?:-[A-Z][a-z]+)+|(?<=header )[A-Z]\w+|RateLimit|\b[a-z]+[A-Z]\w*/g;

/** Puts backticks around code in a text, except where it has them. */
const markCode = (text: string) =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replace(CODE, "`$&`") : part))
    .join("`");

function parseCode(code: string): ErrorCode {
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : notFound();
}
