"use client";

import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { takeFocus } from "@/components/ui/take-focus";

interface Props {
  title: string;
  /** Shown only once. */
  secret: string;
  /** Label for the copy button, such as "API key". */
  name: string;
  /** How the service stores it, as a sentence. */
  storage?: string;
  children?: ReactNode;
}

/** Shows a secret once; takes the focus so that it isn't missed. */
export function Secret({
  title,
  secret,
  name,
  storage = "We store only a hash.",
  children,
}: Props) {
  return (
    <section className="rounded-lg border-2 border-accent bg-raised p-5 sm:p-6">
      <h2 ref={takeFocus} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
      <p className="mt-1 text-sm text-muted">Shown only once. {storage}</p>
      <p className="mt-4 flex flex-wrap items-center gap-3">
        <code className="min-w-0 rounded-md bg-sunken px-4 py-3 break-all" data-secret={name}>
          {secret}
        </code>
        <CopyButton look="primary" text={secret} label={`Copy ${name}`} />
      </p>
      {children}
    </section>
  );
}
