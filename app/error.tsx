"use client";

import Link from "next/link";

interface Props {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: Props) {
  return (
    <div className="mx-auto max-w-xl py-10">
      <h1 className="text-3xl font-semibold">This page could not be made</h1>
      <p className="mt-3 text-muted">
        The fault is ours and has been logged
        {error.digest ? ` under ${error.digest}` : ""}. Nothing you sent is lost.
      </p>
      <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <button
          type="button"
          onClick={reset}
          className="rounded-md bg-accent px-4 py-2 font-medium text-accent-ink"
        >
          Try again
        </button>
        <Link href="/status" className="underline underline-offset-2">
          How the service is
        </Link>
        <Link href="/" className="underline underline-offset-2">
          Home
        </Link>
      </p>
    </div>
  );
}
