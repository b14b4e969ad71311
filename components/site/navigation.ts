/** Links of the header and the mobile menu. */
export const NAVIGATION = [
  { href: "/leaderboard", name: "Leaderboard" },
  { href: "/how-it-works", name: "How it works" },
  { href: "/judge", name: "Judge" },
  { href: "/docs", name: "API" },
] as const;
