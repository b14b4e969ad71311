import type { ModelRequest } from "./scripted-model";

/** What a vote is asked, as a model reads it out of the user message. */
export interface VoteMaterial {
  task: string;
  deliverable: string;
  criteria: { id: string; text: string; proof: string }[];
  canary: string;
}

/** Whether the request asks for a vote; else it asks for a rubric. */
export function isVote({ body }: ModelRequest): boolean {
  return JSON.stringify(body).includes("modelVerdict");
}

/** Reads the material of a vote, whether it stands as JSON between marked lines or as plain text. */
export function materialOf(user: string): VoteMaterial {
  const canary = /^The word for canary: (\w+)$/m.exec(user)?.[1] ?? "";
  const enclosed = /^<<<([0-9a-f]{32})\n([\s\S]*)\n\1>>>$/m.exec(user);
  if (enclosed?.[2]) return { ...JSON.parse(enclosed[2]), canary };
  const part = (from: string, to: string) =>
    user.slice(user.indexOf(`${from}:\n`) + from.length + 2, user.lastIndexOf(to)).trim();
  const criteria = /\ncriteria:\n(.*)$/m.exec(user)?.[1] ?? "[]";
  return {
    task: part("task", "\n\ndeliverable:\n"),
    deliverable: part("deliverable", "\n\ncriteria:\n"),
    criteria: JSON.parse(criteria),
    canary,
  };
}
