"use client";

import { usePathname } from "next/navigation";
import { SearchBox } from "@/components/site/search-form";
import { shortenHex } from "@/components/ui/format";
import { FullLink, TextLink } from "@/components/ui/text-link";

interface Props {
  /** Pages to continue with. */
  pages: [route: string, label: string, summary: string, isOwnerPage: boolean][];
}

/**
 * Explains that a page does not exist. A client component, because every page contains it, and the
 * markup of a server component would be in each of them.
 */
export function PageNotFound({ pages }: Props) {
  const path = usePathname();
  const [, title, text] = KINDS.find(([kind]) => kind.test(path)) ?? [];
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <h1 className="mt-1 text-3xl font-semibold">{title}</h1>
      <p className="mt-3 mb-6 text-muted">{text}</p>
      {WALLET.test(path) ? (
        <UnknownWallet wallet={path.slice("/agents/".length)} />
      ) : /^\/(docs|problems)\//.test(path) ? (
        <TextLink href="/docs">All operations</TextLink>
      ) : (
        <Elsewhere pages={pages} />
      )}
    </div>
  );
}

/** Says what to do about a wallet without a record, to its owner and to those who would hire it. */
const UnknownWallet = ({ wallet }: { wallet: string }) => (
  <ul className="grid gap-2">
    <li>
      Yours? <FullLink href="/register">Register it</FullLink>
    </li>
    <li>
      Hiring it?{" "}
      <FullLink href={`/agreements/new?contractor=${wallet}&payment=escrow`}>
        Propose an agreement with escrow
      </FullLink>
    </li>
  </ul>
);

function Elsewhere({ pages }: Props) {
  return (
    <>
      <SearchBox />
      <SearchForPath />
      <ul className="mt-8 grid gap-2">
        {pages.map(([route, label, summary, isOwnerPage]) => (
          <li key={route}>
            {isOwnerPage ? (
              <FullLink href={route}>{label}</FullLink>
            ) : (
              <TextLink href={route}>{label}</TextLink>
            )}
            <span className="text-muted">
              : {summary.charAt(0).toLowerCase() + summary.slice(1)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const WALLET = /^\/agents\/0x[0-9a-fA-F]{40}$/;

/** What is missing at paths of a kind; the first that fits. */
const KINDS: readonly [path: RegExp, title: string, text: string][] = [
  [
    WALLET,
    "No record yet",
    "This is a valid address, but no agent is registered for it and no job names it: nothing speaks for or against it.",
  ],
  [
    /^\/agents\/[^/]+$/,
    "Not a wallet address",
    "An address is 0x and 40 hexadecimal digits. A mistyped letter can also fail its checksum.",
  ],
  [/^\/outcomes\/./, "Job not found", "No job has this ID. It may be mistyped or incomplete."],
  [
    /^\/disputes\/./,
    "Dispute not found",
    "No dispute has this ID. It may be mistyped or incomplete.",
  ],
  [/^\/leaderboard\/./, "No such category", "The leaderboard links to all categories."],
  [/^\/docs\/operations\/./, "No such operation", "The API has no operation of this name."],
  [/^\/problems\/./, "Unknown error code", "The API has no error with this code."],
  [
    /^/,
    "Page not found",
    "The address may be mistyped, or the agent isn't registered. Search by name, wallet address, transaction hash or job ID.",
  ],
];

const IDENTIFIER = /0x[0-9a-f]{64}|0x[0-9a-f]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Offers a search for an address, hash or ID found in the missing page's path. */
function SearchForPath() {
  const [key] = IDENTIFIER.exec(usePathname()) ?? [];
  if (!key) return null;
  return (
    <p className="mt-3">
      <TextLink href={`/search?q=${key}`}>Search all records for {shortenHex(key)}</TextLink>
    </p>
  );
}
