import { idSchema } from "@/server/lib/schema";

/** Sections of the dashboard: last segment of the path, and label. The overview has no segment. */
export const DASHBOARD_SECTIONS = [
  { section: "", label: "Overview" },
  { section: "agreements", label: "Agreements" },
  { section: "outcomes", label: "Outcomes" },
  { section: "disputes", label: "Disputes" },
  { section: "keys", label: "Keys" },
  { section: "webhooks", label: "Webhooks" },
  { section: "profile", label: "Profile" },
] as const;

type Section = (typeof DASHBOARD_SECTIONS)[number]["section"];

export const getSectionPath = (section: Section) =>
  section === "" ? "/dashboard" : (`/dashboard/${section}` as const);

/**
 * Returns the path of a section named in a URL; of the overview for any other text.
 * @param outcome Of the section of outcomes: the one whose forms to open, if it is an id.
 */
export function parseSectionPath(named: unknown, outcome?: unknown): string {
  const known = DASHBOARD_SECTIONS.find(({ section }) => section === named);
  const path = getSectionPath(known?.section ?? "");
  const { data: id } = idSchema.safeParse(outcome);
  return known?.section === "outcomes" && id ? `${path}?outcome=${id}` : path;
}
