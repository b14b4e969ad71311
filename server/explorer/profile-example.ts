import { CLIENT_RECORD_EXAMPLE } from "@/server/agreements/agreement-example";
import { EXAMPLE_REPUTATION } from "@/server/reputation/router";
import type { AgentProfile } from "./schema";

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
  recommendation: {
    action: "hire-with-limit",
    label: "Hire up to 100 USDC",
    summary: "Hire up to 100.00 USDC.",
    reasons: ["No warning signs in 12 counted jobs"],
    valueUsdc: null,
    limitUsdc: 100,
  },
  priceToFake: {
    goodUnits: 9.6,
    claimed: { units: 3, wallets: 2 },
    paid: { units: 6.6, wallets: 4, jobs: 10, usdc: 100 },
    anchored: { units: 0, wallets: 0, jobs: 0, usdc: 0 },
    days: 0,
    jobUsdc: 10,
    confidence: 0.95,
  },
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
