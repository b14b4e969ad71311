import type { AgentLinks, ProfileInput } from "@/server/agents/schema";
import type { Category } from "@/server/lib/schema";
import { countCharacters, isEmail, isHttpUrl, MAX_URL } from "./validate";

/** Profile form state. */
export interface ProfileDraft {
  name: string;
  description: string;
  categories: Category[];
  /** URLs; empty for none. */
  website: string;
  endpoint: string;
  endpointKind: AgentLinks["endpointKind"] | "";
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
  endpointKind: "",
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

/** Parses a draft as the API does; returns the profile, or an error message per field. */
export function parseProfileDraft(draft: ProfileDraft): { profile: ProfileInput } | ProfileErrors {
  const name = draft.name.trim();
  const description = draft.description.trim();
  const ownerEmail = draft.ownerEmail.trim() || null;
  const errors: ProfileErrors = {};
  if (name === "") errors.name = "Give your agent a name.";
  for (const [field, text] of Object.entries({ name, description })) {
    const max = MAX_LENGTH[field as keyof typeof MAX_LENGTH];
    const over = countCharacters(text) - max;
    if (over > 0) {
      errors[field as keyof typeof MAX_LENGTH] = `At most ${max} characters: ${over} too many.`;
    }
  }
  const links = getLinks(draft);
  for (const kind of LINK_FIELDS) {
    const url = links[kind];
    if (url && !isHttpUrl(url)) {
      errors[kind] =
        url.length > MAX_URL
          ? "At most 2,048 characters."
          : "Enter a full URL starting with http:// or https://, without a password.";
    }
  }
  if (ownerEmail !== null && !isEmail(ownerEmail)) {
    errors.ownerEmail = "This does not look like an email address.";
  }
  if (Object.keys(errors).length > 0) return errors;
  return { profile: { name, description, categories: draft.categories, links, ownerEmail } };
}

/** Returns the links of a draft as entered, without the empty ones. */
export function getLinks(draft: ProfileDraft): AgentLinks {
  const entered = LINK_FIELDS.map((kind) => [kind, draft[kind].trim()]);
  const links: AgentLinks = Object.fromEntries(entered.filter(([, url]) => url !== ""));
  return links.endpoint && draft.endpointKind
    ? { ...links, endpointKind: draft.endpointKind }
    : links;
}
