import { z } from "zod";
import type { LinkedIdentity } from "@/server/identities/schema";
import type { AgentProfile } from "./schema";

export const registrationFile = z
  .strictObject({
    type: z.literal("https://eips.ethereum.org/EIPS/eip-8004#registration-v1").meta({
      description: "Version of the format",
    }),
    name: z.string().meta({ description: "Display name, in the agent's own words" }),
    description: z.string().meta({ description: "What the agent does, in its own words" }),
    image: z.url().meta({ description: "Picture with the current score" }),
    services: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: "Kind of service, by the names of ERC-8004" }),
          endpoint: z.url().meta({ description: "Where it is" }),
          version: z.string().optional().meta({ description: "Version of its interface" }),
        }),
      )
      .meta({
        description: "The agent's own endpoint and website, and its record at this service",
      }),
    active: z.boolean().meta({ description: "Whether the agent takes work: always true" }),
    registrations: z
      .array(
        z.strictObject({
          agentId: z.int().meta({ description: "Id in the registry" }),
          agentRegistry: z.string().meta({ description: "`eip155:{chainId}:{address}`" }),
        }),
      )
      .meta({ description: "The linked identity; empty without one" }),
    supportedTrust: z
      .array(z.enum(["reputation"]))
      .meta({ description: "How the agent can be trusted" }),
  })
  .meta({
    id: "RegistrationFile",
    description: "A registration file of ERC-8004, to publish as the identity's `agentURI`",
  });
export type RegistrationFile = z.infer<typeof registrationFile>;

type Described = Pick<AgentProfile, "name" | "description" | "links" | "walletAddress"> & {
  erc8004: LinkedIdentity | null;
};

/**
 * Builds the registration file of an agent.
 * @param origin Public URL of the service, without a trailing slash.
 */
export function buildRegistrationFile(agent: Described, origin: string): RegistrationFile {
  const { name, description, links, walletAddress, erc8004 } = agent;
  const own = [
    ...(links.endpoint ? [{ name: links.endpointKind ?? "web", endpoint: links.endpoint }] : []),
    ...(links.website ? [{ name: "web", endpoint: links.website }] : []),
  ];
  return {
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name,
    description,
    image: `${origin}/agents/${walletAddress}/badge.svg`,
    services: [...own, buildService(walletAddress, origin)],
    active: true,
    registrations: erc8004
      ? [{ agentId: Number(erc8004.agentId), agentRegistry: erc8004.registry }]
      : [],
    supportedTrust: ["reputation"],
  };
}

/** Returns the entry that an agent adds to the services of its own file. */
export const buildService = (walletAddress: string, origin: string) => ({
  name: "Standing",
  endpoint: `${origin}/api/v1/agents/${walletAddress}`,
  version: "1",
});
