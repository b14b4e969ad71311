import { useEffect, useRef } from "react";

const HEADINGS = "h1, h2, h3";

/**
 * Keeps the focus where reading continues: on the heading of a page that a link or form leads to, on the
 * results of a form that leads to its own page, and, when the element that had it is replaced, on the next
 * control of its form or the heading of what replaced it.
 */
export function useFocusOnHeading(path: string) {
  const shown = useRef<string>(null);
  useEffect(() => {
    const [before, isLoad] = [shown.current ?? getReferringPath(), shown.current === null];
    shown.current = path;
    const heading = document.querySelector("main h1");
    const results = document.querySelector("main [tabindex='-1']") ?? heading;
    // After a load, a fragment's target and what the visitor has focused already keep the focus.
    const isFree = before && !location.hash && document.activeElement === document.body;
    const place = document.getElementById(location.hash.slice(1)) ?? heading;
    if (isLoad ? isFree : before !== path) focus(before === path ? results : place, true);
  }, [path]);
  useEffect(() => {
    let focused: Element[] = [];
    /** Controls of the same form after the focused one. */
    let next: Element[] = [];
    const onFocus = ({ target }: Event) => {
      focused = listAncestors(target as Element);
      const controls = [...((target as HTMLInputElement).form?.elements ?? [])];
      next = controls.slice(controls.indexOf(target as Element) + 1);
    };
    // A click beside everything leaves nothing focused.
    const onPress = ({ target }: Event) => {
      if (!focused[0]?.contains(target as Node)) focused = [];
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || focused[0]?.isConnected !== false) return;
      const control = next.find((one) => one.isConnected && one.checkVisibility());
      if (control instanceof HTMLElement) return control.focus();
      const place = focused.find((one) => one.isConnected && one.querySelector(HEADINGS));
      focus(place?.querySelector(HEADINGS), false);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", onFocus);
    addEventListener("pointerdown", onPress);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", onFocus);
      removeEventListener("pointerdown", onPress);
    };
  }, []);
}

function focus(element: Element | null | undefined, preventScroll: boolean) {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll });
}

/** Returns the path of the page of this site that this one was opened from; empty if there is none. */
function getReferringPath(): string {
  const { origin, pathname } = new URL(document.referrer || "about:blank");
  return origin === location.origin ? pathname : "";
}

/** Returns an element of the page's content and everything around it, itself first. */
function listAncestors(element: Element): Element[] {
  const parent = element.closest("main") && element.parentElement;
  return parent ? [element, ...listAncestors(parent)] : [element];
}
