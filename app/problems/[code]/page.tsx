import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ERRORS, type ErrorCode } from "@/server/lib/errors";

interface Props {
  params: Promise<{ code: string }>;
}

/** Every code is known when the pages are built; any other is no page. */
export const dynamicParams = false;

export function generateStaticParams() {
  return Object.keys(ERRORS).map((code) => ({ code }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: problemOf((await params).code).title };
}

/** What the `type` of a problem answer leads to: the refusal in words, and the way out. */
export default async function ProblemPage({ params }: Props) {
  const { code } = await params;
  const { title, status, help } = problemOf(code);
  return (
    <article className="mx-auto max-w-xl py-10">
      <p className="text-muted">
        HTTP {status}, <code>{code}</code>
      </p>
      <h1 className="mt-1 text-3xl font-semibold">{title}</h1>
      <h2 className="mt-8 text-xl font-semibold">What to do</h2>
      <p className="mt-2">{help}</p>
      <p className="mt-6 text-sm text-muted">
        The field <code>detail</code> of the answer says what was wrong with that request, and{" "}
        <code>requestId</code> names it in our log.
      </p>
    </article>
  );
}

function problemOf(code: string) {
  if (!Object.hasOwn(ERRORS, code)) notFound();
  return ERRORS[code as ErrorCode];
}
