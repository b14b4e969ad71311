import { withoutBidiControls } from "@/server/lib/bidi";

/**
 * Shows a stranger's text inside our own. Its direction of writing is its own and ends with it;
 * characters that could end the isolation are left out. In plain text, use `isolateText`.
 */
export function StrangerText({ children }: { children: string }) {
  return <bdi>{withoutBidiControls(children)}</bdi>;
}
