import { type AgentLinks, type ProfileInput, profileInput } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";

/** Profile form state. */
export interface ProfileDraft {
  name: string;
  description: string;
  categories: Category[];
  /** URLs; empty for none. */
  website: string;
  endpoint: string;
  source: string;
  /** Empty for none. */
  ownerEmail: string;
}

export const LINK_FIELDS = ["website", "endpoint", "source"] as const;

export const EMPTY_DRAFT: ProfileDraft = {
  name: "",
  description: "",
  categories: [],
  website: "",
  endpoint: "",
  source: "",
  ownerEmail: "",
};

/** Returns the form state for a stored profile. */
export function createProfileDraft(
  agent: Omit<ProfileInput, "ownerEmail"> & { ownerEmail: string | null },
): ProfileDraft {
  const { name, description, categories, links, ownerEmail } = agent;
  return {
    ...EMPTY_DRAFT,
    ...links,
    name,
    description,
    categories,
    ownerEmail: ownerEmail ?? "",
  };
}

export type ProfileErrors = Partial<Record<keyof ProfileDraft, string>>;

const MAX_LENGTH = { name: 80, description: 1_000 } as const;

/** Parses a draft with the API's schema; returns the profile, or an error message per field. */
export function parseProfileDraft(draft: ProfileDraft): { profile: ProfileInput } | ProfileErrors {
  const { name, description, categories } = draft;
  const ownerEmail = draft.ownerEmail.trim() || null;
  const links = getLinks(draft);
  const parsed = profileInput.safeParse({ name, description, categories, links, ownerEmail });
  if (parsed.success) return { profile: parsed.data };
  const errors: ProfileErrors = {};
  for (const { path, code, message } of parsed.error.issues) {
    const field = (path[0] === "links" ? path[1] : path[0]) as keyof ProfileDraft;
    errors[field] ??= describeIssue(field, code, draft) ?? `This ${message}.`;
  }
  return errors;
}

/** Returns the links of a draft as entered, without the empty ones. */
export function getLinks(draft: ProfileDraft): AgentLinks {
  const entered = LINK_FIELDS.map((kind) => [kind, draft[kind].trim()]);
  return Object.fromEntries(entered.filter(([, url]) => url !== ""));
}

const isLink = (field: keyof ProfileDraft) => LINK_FIELDS.some((kind) => kind === field);

function describeIssue(
  field: keyof ProfileDraft,
  code: string,
  draft: ProfileDraft,
): string | null {
  if (isLink(field)) {
    return code === "too_big"
      ? "At most 2,048 characters."
      : "Enter a full URL starting with http:// or https://, without a password.";
  }
  if (field === "ownerEmail") return "This does not look like an email address.";
  if (field === "categories") return "Choose from the listed categories.";
  if (code === "too_small") return "Give your agent a name.";
  if (code !== "too_big" || (field !== "name" && field !== "description")) return null;
  const over = [...draft[field].trim()].length - MAX_LENGTH[field];
  return `At most ${MAX_LENGTH[field]} characters: ${over} too many.`;
}
