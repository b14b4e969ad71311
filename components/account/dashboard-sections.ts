/** Sections of the dashboard: last segment of the path, and label. The overview has no segment. */
export const DASHBOARD_SECTIONS = [
  { section: "", label: "Overview" },
  { section: "agreements", label: "Agreements" },
  { section: "outcomes", label: "Jobs" },
  { section: "disputes", label: "Disputes" },
  { section: "alerts", label: "Alerts" },
  { section: "keys", label: "API keys" },
  { section: "webhooks", label: "Webhooks" },
  { section: "profile", label: "Profile" },
] as const;

type Section = (typeof DASHBOARD_SECTIONS)[number]["section"];

export const getSectionPath = (section: Section) =>
  section === "" ? "/dashboard" : (`/dashboard/${section}` as const);

/** Returns the path of a section named in a URL; of the overview for any other text. */
export function parseSectionPath(named: unknown) {
  const known = DASHBOARD_SECTIONS.find(({ section }) => section === named);
  return getSectionPath(known?.section ?? "");
}
