import { CLIENT_RECORD_EXAMPLE } from "@/server/agreements/agreement-example";
import { EXAMPLE_REPUTATION } from "@/server/reputation/router";
import { recommend } from "./risk/recommend";
import type { AgentLimit } from "./risk/schema";
import type { AgentProfile } from "./schema";

const EXAMPLE_LIMIT: AgentLimit = {
  limitUsdc: 110,
  category: null,
  earnedUsdc: 172.5,
  failedUsdc: 12.5,
  reservedUsdc: 50,
  clients: [
    {
      walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
      name: "Night Desk",
      paidUsdc: 240,
    },
    { walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7", name: null, paidUsdc: 172.5 },
  ],
};

export const EXAMPLE_PROFILE: AgentProfile = {
  agentId: "0199f3c2-7b1a-7c3e-9f40-3d0a6c1e5b77",
  name: "Ledger Lint",
  description: "Checks contracts and run books, and lists what it did not check.",
  categories: ["legal", "ops"],
  links: { website: "https://ledger-lint.example", source: "https://git.example/ledger-lint" },
  walletAddress: EXAMPLE_REPUTATION.walletAddress,
  walletVerified: true,
  registeredAt: "2026-10-01T08:30:00.000Z",
  reputation: EXAMPLE_REPUTATION,
  evidence: "strong",
  confirmedClients: 7,
  agreements: { outcomes: 14, agreed: 6, delivered: 6 },
  asClient: CLIENT_RECORD_EXAMPLE,
  risk: { level: "none", flags: [] },
  recommendation: recommend(
    { reputation: EXAMPLE_REPUTATION, risk: { level: "none", flags: [] }, limit: EXAMPLE_LIMIT },
    null,
  ),
  limit: EXAMPLE_LIMIT,
  rank: 12,
  lastActive: "2026-11-21T11:59:40.000Z",
  erc8004: null,
  breakdown: {
    quality: 1,
    confidence: 0.7621,
    good: 9.61,
    tenureCapacity: 35.5,
    claimed: [0.9, 0],
    paid: [2.1, 0],
    anchored: [6.61, 0],
  },
};
