import { CopyButton } from "./copy-button";

interface Props {
  value: string;
  /** What it is, for the copy button: "transaction hash". */
  name: string;
  /** Where more about it can be seen. */
  href?: string | null;
}

/** An address or hash in full, breaking where it must, with a way to copy it. */
export function Hex({ value, name, href }: Props) {
  const text = <code className="text-[0.8125rem] break-all">{value}</code>;
  return (
    <span>
      {href ? (
        <a
          href={href}
          className="underline decoration-line underline-offset-2 hover:decoration-ink"
        >
          {text}
        </a>
      ) : (
        text
      )}
      {/* In the line's own flow, so that it follows the last character wherever that stands. */}{" "}
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}
