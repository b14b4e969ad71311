/** Stores the visitor's theme; without it the system preference applies. */
export const THEME_COOKIE = "theme";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const parseTheme = (cookie: string | undefined): Theme =>
  THEMES.find((theme) => theme === cookie) ?? "system";
