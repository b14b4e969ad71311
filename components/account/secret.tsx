"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { CopyButton } from "@/components/ui/copy-button";

export const KEY_KEPT = "Here only a hash of it is kept.";

interface Props {
  title: string;
  /** Shown this once. */
  secret: string;
  /** What it is, for the copy button: "API key". */
  name: string;
  /** What is kept of it here, as a sentence. */
  kept: string;
  children?: ReactNode;
}

/** A secret that is shown only once; it takes the focus, so that nobody misses it. */
export function Secret({ title, secret, name, kept, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="rounded-lg border-2 border-accent bg-raised p-5 sm:p-6">
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
      <p className="mt-1 text-sm text-muted">
        Put it where your agent finds its secrets. It is shown this once. {kept}
      </p>
      <p className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-sunken px-4 py-3">
        <code className="min-w-0 break-all" data-secret={name}>
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy ${name}`} />
      </p>
      {children}
    </section>
  );
}
