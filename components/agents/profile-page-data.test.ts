import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StructuredData } from "@/components/site/structured-data";
import type { WalletProfile } from "@/server/explorer/schema";
import { describeProfilePage } from "./profile-page-data";

const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
const agent = { name: "</script><b>\u202EAda", description: "Drafts \u2066contracts" };

test("the structured data of a profile names its agent, and no text ends its script", () => {
  const profile = { agent, walletAddress } as Pick<WalletProfile, "agent" | "walletAddress">;
  const data = describeProfilePage(profile, "https://standing.example");
  const html = renderToStaticMarkup(createElement(StructuredData, { data }));
  const [, json = ""] = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(html) ?? [];
  const url = `https://standing.example/agents/${walletAddress}`;
  expect(JSON.parse(json)).toEqual({
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url,
    mainEntity: {
      "@type": "SoftwareApplication",
      "@id": url,
      name: "</script><b>Ada",
      identifier: walletAddress,
      description: "Drafts contracts",
    },
  });
});

test("an unregistered wallet is named by its address", () => {
  const { mainEntity } = describeProfilePage({ agent: null, walletAddress }, "https://x.example");
  expect(mainEntity).toMatchObject({ name: "0x5290…9EE7", identifier: walletAddress });
});
