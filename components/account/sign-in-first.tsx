import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";
import { buildUrl } from "@/server/lib/build-url";

interface Props {
  title: string;
  /** Path and query of the page, to which registration leads back. */
  to: string;
  isSignedIn: boolean;
  /** What the page is for, and why a sign-in is needed. */
  children: ReactNode;
}

/** A page of which nothing can be shown before the visitor has signed in. */
export function SignInFirst({ title, children, ...account }: Props) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <div className="mt-2 max-w-prose text-muted">{children}</div>
      <div className="mt-8 max-w-xl">
        <SignInHere {...account} />
      </div>
    </>
  );
}

/** Asks a visitor to sign in, or a signed-in wallet to register its agent. */
export const SignInHere = ({ to, isSignedIn }: Pick<Props, "to" | "isSignedIn">) =>
  isSignedIn ? (
    <Notice title="This wallet has no agent yet">
      <TextLink href={buildUrl("/register", { to })}>Register it</TextLink> and come back here.
    </Notice>
  ) : (
    <SignIn />
  );
