/** The cookie in which a visitor's choice of colours is kept; without one the system's count. */
export const THEME_COOKIE = "theme";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const themeOf = (cookie: string | undefined): Theme =>
  THEMES.find((theme) => theme === cookie) ?? "system";
