import type { ReactNode } from "react";

interface Props {
  /** Fragment that links to it. */
  id?: string;
  title: string;
  /** One line below the title. */
  note?: ReactNode;
  children: ReactNode;
}

export function Panel({ id, title, note, children }: Props) {
  return (
    <section id={id} className="scroll-mt-6 rounded-lg border border-line bg-raised p-5 sm:p-6">
      <h2 className="text-xl font-semibold">{title}</h2>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
