"use client";

import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import type { Api } from "@/server/api";

/** The API for client components. Servers render with the procedures themselves. */
export const trpc = createTRPCNext<Api>({
  ssr: false,
  config: () => ({
    links: [httpBatchLink({ url: "/api/trpc", maxItems: 10 })],
    // Without a connection it fails and says so, instead of waiting unseen until there is one.
    queryClientConfig: {
      defaultOptions: { queries: { networkMode: "always" }, mutations: { networkMode: "always" } },
    },
  }),
});
