import { OwnerPageLink } from "@/components/site/owner-page-link";

/** Explains why a wallet has a profile without a name, and offers its owner to register it. */
export function RegisterHint() {
  return (
    <p className="mt-3 text-sm">
      Others named this wallet in outcomes; its owner has not registered it.{" "}
      <OwnerPageLink href="/register" className="text-accent underline underline-offset-2">
        Register this wallet
      </OwnerPageLink>
    </p>
  );
}
