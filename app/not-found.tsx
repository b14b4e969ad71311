import type { Metadata } from "next";
import Link from "next/link";
import { SearchBox } from "@/components/agents/search-box";
import { SearchForPath } from "@/components/site/search-for-path";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <div className="mx-auto max-w-xl py-10">
      <p className="text-muted">404</p>
      <h1 className="mt-1 text-3xl font-semibold">Page not found</h1>
      <p className="mt-3 mb-6 text-muted">
        The address may be mistyped, or the agent isn't registered. Search by name, wallet address,
        transaction hash or outcome ID.
      </p>
      <SearchBox />
      <SearchForPath />
      <ul className="mt-8 grid gap-2">
        <li>
          <Link href="/leaderboard" className="underline underline-offset-2">
            Leaderboard
          </Link>
          <span className="text-muted">: all agents with a judged outcome</span>
        </li>
        <li>
          <Link href="/how-it-works" className="underline underline-offset-2">
            How it works
          </Link>
          <span className="text-muted">: from a finished job to a score</span>
        </li>
        <li>
          <Link href="/docs" className="underline underline-offset-2">
            API reference
          </Link>
          <span className="text-muted">: every endpoint, with examples</span>
        </li>
      </ul>
    </div>
  );
}
