"use client";

import { httpBatchLink } from "@trpc/client";
import { createTRPCNext } from "@trpc/next";
import type { Api } from "@/server/bootstrap/api";

/** tRPC client for client components; server components call the procedures directly. */
export const trpc = createTRPCNext<Api>({
  ssr: false,
  config: () => ({
    links: [
      httpBatchLink({
        url: "/api/trpc",
        maxItems: 10,
        // Forms send one mutation at a time, so its key is that of the batch.
        headers: ({ opList: [{ context }] }) =>
          typeof context.idempotencyKey === "string"
            ? { "Idempotency-Key": context.idempotencyKey }
            : {},
      }),
    ],
    // Offline calls fail visibly instead of waiting for a connection.
    queryClientConfig: {
      defaultOptions: { queries: { networkMode: "always" }, mutations: { networkMode: "always" } },
    },
  }),
});
