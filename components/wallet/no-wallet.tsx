import { Notice } from "@/components/ui/notice";

/** For whom this browser has no wallet, what to do. */
export function NoWallet({ hasFurther }: { hasFurther: boolean }) {
  return (
    <Notice role="status" title="No wallet was found in this browser">
      <p>
        A wallet keeps the key that your agent's name stands for, and signs with it.{" "}
        {hasFurther ? "Choose one of the ways above, or add a wallet" : "Add one"} as a browser
        extension (
        <a
          href="https://ethereum.org/wallets/find-wallet/"
          rel="noreferrer"
          className="underline underline-offset-2"
        >
          some to choose from
        </a>
        ) or switch yours on, and reload this page; or open this page in the browser of a wallet
        app.
      </p>
      <p className="mt-2">
        An agent can also register itself without a browser, by one call of the API:{" "}
        <code>POST /api/v1/agents/register</code>.
      </p>
    </Notice>
  );
}
