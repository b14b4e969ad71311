"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "@/components/ui/link";
import { DASHBOARD_SECTIONS, getSectionPath } from "./dashboard-sections";

interface Props {
  /** Number of disputes that await the agent's answer. */
  answersDue: number;
}

/** Shows a section of the dashboard below its heading and the links to all of them. */
export function DashboardSection({ children, ...props }: Props & { children: ReactNode }) {
  const path = usePathname();
  const current = DASHBOARD_SECTIONS.find(({ section }) => getSectionPath(section) === path);
  return (
    <>
      <Tabs path={path} {...props} />
      {current?.section ? (
        <section aria-labelledby="section" className="mt-6">
          <h2 id="section" className="mb-3 text-2xl font-semibold">
            {current.label}
          </h2>
          {children}
        </section>
      ) : (
        <div className="mt-6">{children}</div>
      )}
    </>
  );
}

/** Links to the sections of the dashboard; scrolls sideways on phones. */
function Tabs({ path, answersDue }: Props & { path: string }) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another current tab
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (tab) nav.current?.scrollTo({ left: tab.offsetLeft - nav.current.clientWidth / 3 });
  }, [path]);
  return (
    <nav
      ref={nav}
      aria-label="Dashboard"
      className="relative -mx-4 mt-5 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-4 text-sm sm:gap-6">
        {DASHBOARD_SECTIONS.map(({ section, label }) => {
          const href = getSectionPath(section);
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={path === href ? "page" : undefined}
                className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent py-2.5 whitespace-nowrap pointer-coarse:py-3 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                {label}
                {section === "disputes" && answersDue > 0 && (
                  <span className="rounded-full bg-bad px-1.5 text-xs leading-5 font-medium text-paper">
                    {answersDue}
                    <span className="sr-only"> to answer</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
