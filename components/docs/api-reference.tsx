"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import "./api-reference.css";
import { houseLayout } from "./house-layout";

type State = "waiting" | "loading" | "shown" | "failed";

/**
 * The interactive reference of `/api/v1/openapi.json`, which stands in for `children` once it is
 * there. It is fetched when it comes near, as it is larger than everything else together.
 */
export function ApiReference({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const target = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>("waiting");
  useEffect(() => {
    if (!place.current) return;
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        setState("loading");
        show(target.current).then(
          () => setState("shown"),
          () => setState("failed"),
        );
      },
      { rootMargin: "300px" },
    );
    seen.observe(place.current);
    return () => seen.disconnect();
  }, []);
  useEffect(followTheme, []);
  return (
    <div ref={place}>
      <p role="status" className="sr-only">
        {state === "loading" && "The interactive reference is loading."}
        {state === "failed" && "The interactive reference could not be loaded. The list stays."}
      </p>
      <div ref={target} className="api-reference" hidden={state !== "shown"} />
      {state !== "shown" && children}
    </div>
  );
}

async function show(domNode: HTMLElement | null): Promise<void> {
  const { default: SwaggerUI } = await import("swagger-ui-dist/swagger-ui-bundle.js");
  await new Promise<void>((resolve) => {
    SwaggerUI({
      plugins: [houseLayout],
      layout: "HouseLayout",
      url: "/api/v1/openapi.json",
      domNode,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      // Links inside the buttons that open an operation could not be reached by keyboard.
      deepLinking: false,
      validatorUrl: null,
      supportedSubmitMethods: ["get", "post", "patch", "delete"],
      onComplete: resolve,
    });
  });
}

/** The viewer has a dark look of its own, by a class. */
function followTheme(): () => void {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const { theme } = root.dataset;
    root.classList.toggle("dark-mode", theme ? theme === "dark" : system.matches);
  };
  follow();
  system.addEventListener("change", follow);
  const switched = new MutationObserver(follow);
  switched.observe(root, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", follow);
    switched.disconnect();
    root.classList.remove("dark-mode");
  };
}
