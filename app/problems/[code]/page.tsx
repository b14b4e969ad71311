import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { InlineCode } from "@/components/docs/inline-code";
import { ERRORS, type ErrorCode } from "@/server/lib/errors";

interface Props {
  params: Promise<{ code: string }>;
}

/** All codes are known at build time; any other is a 404. */
export const dynamicParams = false;

export function generateStaticParams() {
  return Object.keys(ERRORS).map((code) => ({ code }));
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: getProblem((await params).code).title };
}

/** Explains the error that a problem response's `type` links to, and how to fix it. */
export default async function ProblemPage({ params }: Props) {
  const { code } = await params;
  const { title, status, help } = getProblem(code);
  return (
    <article className="mx-auto max-w-xl py-10">
      <p className="text-muted">
        HTTP {status}, <code>{code}</code>
      </p>
      <h1 className="mt-1 text-3xl font-semibold">{title}</h1>
      <h2 className="mt-8 text-xl font-semibold">How to fix it</h2>
      <p className="mt-2">
        <InlineCode>{help}</InlineCode>
      </p>
      <p className="mt-6 text-sm text-muted">
        The response's <code>detail</code> says what was wrong; <code>requestId</code> identifies it
        in our log.
      </p>
    </article>
  );
}

function getProblem(code: string) {
  if (!Object.hasOwn(ERRORS, code)) notFound();
  return ERRORS[code as ErrorCode];
}
