import { CopyButton } from "./copy-button";
import { Icon } from "./icon";

interface Props {
  value: string;
  /** Label for the copy button, such as "transaction hash". */
  name: string;
  /** Block explorer page. */
  href?: string | null;
  /** Shows only both ends. */
  brief?: boolean;
}

const TAIL = 4;

/** Shows an address or hash with a copy button and a block explorer link. */
export function Hex({ value, name, href, brief = false }: Props) {
  return (
    <code
      className={`text-[0.8125rem] ${brief ? "whitespace-nowrap" : "break-all"}`}
      title={brief ? value : undefined}
    >
      {brief ? `${value.slice(0, 6)}…` : value.slice(0, -TAIL)}
      {/* Keeps the button on the same line as the last characters. */}
      <span className="whitespace-nowrap">
        {value.slice(-TAIL)}
        <CopyButton look="icon" text={value} label={`Copy ${name}`} />
        {href && (
          <a
            href={href}
            className="ml-0.5 inline-grid size-6 place-items-center rounded align-middle text-muted hover:bg-sunken hover:text-ink"
          >
            <span className="sr-only">Open the {name} in the block explorer</span>
            <Icon
              path="M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5"
              className="size-3.5"
              strokeWidth={1.4}
              box={16}
            />
          </a>
        )}
      </span>
    </code>
  );
}

interface TransactionHashProps extends Omit<Props, "href"> {
  /** Base URL of the block explorer. */
  explorerUrl: string | null;
}

/** Shows a transaction hash that links to the block explorer, if there is one. */
export function TransactionHash({ explorerUrl, ...hex }: TransactionHashProps) {
  return <Hex {...hex} href={explorerUrl && `${explorerUrl}/tx/${hex.value}`} />;
}
