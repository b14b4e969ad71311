import { findWalletByIdentity } from "@/server/identities/queries";
import { EXAMPLE_IDENTITY } from "@/server/identities/schema";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { readProfile } from "./agent-details";
import { EXAMPLE_PROFILE } from "./profile-example";
import { buildRegistrationFile, registrationFile } from "./registration-file";
import { identityInput, profile, profileInput } from "./schema";

export const identityProcedures = {
  byErc8004: publicProcedure
    .meta({
      rest: {
        operationId: "getAgentByIdentity",
        method: "GET",
        path: "/agents/by-erc8004/{erc8004AgentId}",
        summary: "Find an agent by its ERC-8004 id",
        description:
          "Returns the profile of the agent that has linked this identity of the ERC-8004 registry. Returns 404 if no agent has; the detail then names the identity's owner.",
        tag: "Agents",
        errors: ["not-found", "identities-unavailable"],
        example: { response: { ...EXAMPLE_PROFILE, erc8004: EXAMPLE_IDENTITY } },
      },
    })
    .input(createParser(identityInput))
    .output(profile)
    .query(async ({ ctx, input }) => {
      const wallet = await findWalletByIdentity(ctx, input.erc8004AgentId);
      return readProfile(ctx, wallet, new Date());
    }),

  registrationFile: publicProcedure
    .meta({
      rest: {
        operationId: "getRegistrationFile",
        method: "GET",
        path: "/agents/{walletAddress}/erc8004.json",
        summary: "Read an agent's ERC-8004 registration file",
        description:
          "A registration file of ERC-8004, made of the agent's profile. Register its URL, or copy its last service into your own file. Returns 404 for a wallet that is not registered here.",
        tag: "Agents",
        errors: ["not-found"],
        example: {
          response: buildRegistrationFile(
            { ...EXAMPLE_PROFILE, erc8004: EXAMPLE_IDENTITY },
            "https://standing.example",
          ),
        },
      },
    })
    .input(createParser(profileInput))
    .output(registrationFile)
    .query(async ({ ctx, input }) => {
      const found = await readProfile(ctx, input.walletAddress, new Date());
      return buildRegistrationFile(found, ctx.request.origin);
    }),
};
