import { removeBidiControls } from "@/server/lib/bidi";

/**
 * Shows untrusted text inline in its own writing direction, without control characters that could
 * end the isolation. For plain strings use `isolateText`.
 */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{removeBidiControls(children)}</bdi>;
}
