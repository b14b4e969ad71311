"use client";

import { LiveForm } from "@/components/ui/live-form";
import { TextLink } from "@/components/ui/text-link";
import type { OutcomesInput } from "@/server/explorer/schema";

export type Filter = Pick<OutcomesInput, "role" | "category" | "verdict" | "backing">;

interface FilterProps {
  /** Path of the page. */
  action: string;
  filter: Filter;
  /** Passed because the schema that defines them would be sent to the browser. */
  categories: readonly string[];
}

const CHOICES = [
  ["role", "Role", "Both roles", { contractor: "Contractor", requester: "Client" }],
  ["verdict", "Original verdict", "Any verdict", { SUCCESS: "Success", FAILURE: "Failure" }],
  [
    "backing",
    "Evidence type",
    "All types",
    { anchored: "Anchored", paid: "Paid", claimed: "Unconfirmed" },
  ],
] as const;

/** Filters outcomes; the state is in the URL, and it works without JavaScript. */
export function OutcomeFilter({ action, filter, categories }: FilterProps) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const choices = [
    ...CHOICES,
    [
      "category",
      "Category",
      "All categories",
      Object.fromEntries(categories.map((name) => [name, name])),
    ],
  ] as const;
  return (
    <LiveForm
      action={action}
      label="Filter the outcomes"
      className="grid grid-cols-2 gap-2 text-sm sm:grid-cols-4 sm:gap-3"
    >
      {choices.map(([name, label, any, options]) => (
        <label key={name} className="grid gap-1">
          <span className="text-muted max-sm:sr-only">{label}</span>
          <select
            key={filter[name]}
            name={name}
            defaultValue={filter[name] ?? ""}
            className="h-9 w-full min-w-0 rounded-md border border-field bg-raised px-2 max-sm:text-base"
          >
            <option value="">{any}</option>
            {Object.entries(options).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <noscript>
        <button type="submit" className="rounded-md border border-line bg-raised px-3 py-2">
          Apply
        </button>
      </noscript>
      {isFiltered && (
        <TextLink href={action} scroll={false} className="py-2">
          Clear
        </TextLink>
      )}
    </LiveForm>
  );
}
