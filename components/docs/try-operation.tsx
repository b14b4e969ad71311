"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import type { ApiParameter } from "@/server/pages/schema";

const MAX_SHOWN = 20_000;
const PLAIN = { autoComplete: "off", spellCheck: false } as const;

interface Props {
  /** Path below `/api/v1` with `{name}` for each path parameter. */
  path: string;
  parameters: ApiParameter[];
  isKeyed: boolean;
}

type Result =
  | { state: "idle" | "busy" | "failed" }
  | { state: "done"; status: number; ms: number; text: string };

/** Sends a GET request with the values of a form and shows the response. */
export function TryOperation({ path, parameters, isKeyed }: Props) {
  const [result, setResult] = useState<Result>({ state: "idle" });
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const key = String(values.get("apiKey") ?? "");
    setResult({ state: "busy" });
    const startedAt = performance.now();
    try {
      const response = await fetch(`/api/v1${createTarget(path, parameters, values)}`, {
        headers: key ? { "X-API-Key": key } : {},
      });
      const text = await response.text();
      const ms = Math.round(performance.now() - startedAt);
      setResult({ state: "done", status: response.status, ms, text: indent(text) });
    } catch {
      setResult({ state: "failed" });
    }
  };
  return (
    <section className="needs-script rounded-lg border border-line bg-raised p-4">
      <h2 className="text-base font-semibold">Try it</h2>
      <form onSubmit={send} className="mt-3 grid gap-3">
        {parameters.map(({ name, in: place, required, example }) => (
          <TextField
            key={name}
            {...PLAIN}
            name={name}
            label={name}
            required={required || place === "path"}
            optional={!required && place !== "path"}
            defaultValue={place === "path" ? String(example) : ""}
          />
        ))}
        {isKeyed && <TextField {...PLAIN} name="apiKey" label="X-API-Key" optional />}
        <div>
          <Button type="submit" variant="primary" small busy={result.state === "busy"}>
            {result.state === "busy" ? "Sending…" : "Send request"}
          </Button>
        </div>
      </form>
      <div role="status" className="mt-3 text-sm empty:hidden">
        {result.state === "failed" && "The service did not respond. Check your connection."}
        {result.state === "done" && (
          <p>
            <span className={result.status < 400 ? "text-good" : "text-bad"}>
              {result.status < 400 ? "✓" : "✗"} {result.status}
            </span>
            <span className="text-muted">, {result.ms} ms</span>
          </p>
        )}
      </div>
      {result.state === "done" && result.text && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
          tabIndex={0}
          className="mt-2 max-h-80 overflow-auto rounded-md bg-sunken p-3 text-[0.8125rem]"
        >
          {result.text}
        </pre>
      )}
    </section>
  );
}

/** Returns the path with its parameters filled in and a query of the other non-empty values. */
function createTarget(path: string, parameters: ApiParameter[], values: FormData): string {
  const read = (name: string) => String(values.get(name) ?? "");
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(read(name)));
  const query = new URLSearchParams(
    parameters
      .filter(({ name, in: place }) => place === "query" && read(name) !== "")
      .map(({ name }) => [name, read(name)]),
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

function indent(text: string): string {
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return cut(text);
  }
}

const cut = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text);
