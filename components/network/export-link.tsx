/** Links to the export of a list with its filters. */
export function ExportLink({ href }: { href: string }) {
  return (
    <p className="mt-4 text-right text-sm">
      <a href={href} download className="py-1 underline underline-offset-2">
        Export CSV
      </a>
    </p>
  );
}
