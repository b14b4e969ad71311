import Link from "next/link";

/** A judge's name, leading to how it judges. */
export function JudgeLink({ id }: { id: string }) {
  return (
    <Link
      href="/judge"
      className="break-words underline decoration-line underline-offset-2 hover:decoration-ink"
    >
      {id}
    </Link>
  );
}
