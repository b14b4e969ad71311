import type { ModelRequest } from "./scripted-model";

/** The input of a vote, parsed from the user message as a model reads it. */
export interface VoteMaterial {
  task: string;
  deliverable: string;
  criteria: { id: string; text: string; proof: string }[];
  canary: string;
}

/** Returns whether the request asks for a vote; otherwise it asks for a rubric. */
export function isVote({ body }: ModelRequest): boolean {
  return JSON.stringify(body).includes("modelVerdict");
}

/** Reads the material of a vote, either JSON between marked lines or plain text. */
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
