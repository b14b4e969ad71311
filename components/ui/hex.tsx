import { CopyIcon } from "./copy-icon";

interface Props {
  value: string;
  /** What it is, for the copy button: "transaction hash". */
  name: string;
  /** Where more about it can be seen. */
  href?: string | null;
  /** Only its ends, where the line has other things to say. */
  brief?: boolean;
}

const TAIL = 4;

/** An address or hash, breaking where it must, with a way to copy it and to the block explorer. */
export function Hex({ value, name, href, brief = false }: Props) {
  return (
    <code className="text-[0.8125rem] break-all" title={brief ? value : undefined}>
      {brief ? `${value.slice(0, 6)}…` : value.slice(0, -TAIL)}
      {/* The last characters hold on to the button, so that it never stands on a line alone. */}
      <span className="whitespace-nowrap">
        {value.slice(-TAIL)}
        <CopyIcon text={value} label={`Copy ${name}`} />
        {href && (
          <a
            href={href}
            className="ml-0.5 inline-grid size-6 place-items-center rounded align-middle text-muted hover:bg-sunken hover:text-ink"
          >
            <span className="sr-only">The {name} in the block explorer</span>
            <svg viewBox="0 0 16 16" className="size-3.5" fill="none" aria-hidden="true">
              <path
                d="M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5"
                stroke="currentColor"
                strokeWidth="1.4"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
          </a>
        )}
      </span>
    </code>
  );
}
