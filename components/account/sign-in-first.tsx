import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { TextLink } from "@/components/ui/text-link";
import { SignIn } from "@/components/wallet/sign-in";

interface Props {
  title: string;
  /** Why a sign-in is needed, as a sentence. */
  reason: string;
  isSignedIn: boolean;
}

/** Asks a visitor to sign in, or a signed-in wallet to register its agent. */
export function SignInFirst({ title, reason, isSignedIn }: Props) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <p className="mt-2 max-w-prose text-muted">{reason}</p>
      <div className="mt-8 max-w-3xl">
        {isSignedIn ? (
          <Notice title="This wallet has no verified agent yet">
            <TextLink href="/register">Register it</TextLink>, then open this page again.
          </Notice>
        ) : (
          <SignIn />
        )}
      </div>
    </>
  );
}
