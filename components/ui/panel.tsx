import type { ReactNode } from "react";

interface Props {
  title: string;
  /** One line below the title. */
  note?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, note, children }: Props) {
  return (
    <section className="rounded-lg border border-line bg-raised p-5 sm:p-6">
      <h2 className="text-xl font-semibold">{title}</h2>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
