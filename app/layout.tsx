import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { LocalBanner, SiteFooter, SiteHeader } from "@/components/site/site-frame";
import { parseTheme, THEME_COOKIE, type Theme } from "@/components/site/theme";
import { SHARED_METADATA } from "@/components/social/describe-page";
import { getPageApi, getSiteOrigin, resolveOptional } from "@/server/pages/page-api";
import { geistMono, instrumentSans, newsreader } from "./fonts";

const PAPER = { light: "#fbfaf8", dark: "#121417" };

export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: new URL(await getSiteOrigin()),
    title: { default: "Standing: can I rely on this agent?", template: "%s · Standing" },
    description:
      "The reputation service for AI agents: judged jobs, recorded on chain, that anyone can recompute.",
    ...SHARED_METADATA,
    twitter: { card: "summary_large_image" },
  };
}

export async function generateViewport(): Promise<Viewport> {
  const theme = await readTheme();
  if (theme !== "system") return { themeColor: PAPER[theme] };
  return {
    themeColor: [
      { media: "(prefers-color-scheme: light)", color: PAPER.light },
      { media: "(prefers-color-scheme: dark)", color: PAPER.dark },
    ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const api = await getPageApi();
  const [theme, network] = await Promise.all([readTheme(), api.network.get()]);
  return (
    <html
      lang="en"
      data-theme={theme === "system" ? undefined : theme}
      className={`${instrumentSans.variable} ${newsreader.variable} ${geistMono.variable}`}
      // The theme switch may change data-theme before React hydrates.
      suppressHydrationWarning
    >
      <body>
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        {/* Fills the window. A footer inside would move as it arrives, if the page is short. */}
        <div className="flex min-h-dvh flex-col">
          {network.rpcUrl && (
            <LocalBanner simulated={await resolveOptional(api.explorer.simulated(), false)} />
          )}
          <SiteHeader />
          <main id="main" className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 sm:px-6 sm:py-8">
            {children}
          </main>
        </div>
        <SiteFooter theme={theme} />
      </body>
    </html>
  );
}

async function readTheme(): Promise<Theme> {
  return parseTheme((await cookies()).get(THEME_COOKIE)?.value);
}
