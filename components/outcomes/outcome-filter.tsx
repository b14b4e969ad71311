import Link from "next/link";
import { LiveForm } from "@/components/ui/live-form";
import type { OutcomesInput } from "@/server/explorer/schema";
import { CATEGORIES } from "@/server/lib/schema";

type Filter = Pick<OutcomesInput, "role" | "category" | "verdict" | "backing">;

interface Props {
  /** Path of the page. */
  action: string;
  filter: Filter;
}

const CHOICES = [
  ["role", "Role", "Both roles", { contractor: "Contractor", requester: "Requester" }],
  ["verdict", "Original verdict", "Any verdict", { SUCCESS: "Success", FAILURE: "Failure" }],
  [
    "backing",
    "Evidence type",
    "All types",
    { anchored: "Anchored", paid: "Paid", claimed: "Unconfirmed" },
  ],
  [
    "category",
    "Category",
    "All categories",
    Object.fromEntries(CATEGORIES.map((category) => [category, category])),
  ],
] as const;

/** Filters outcomes; the state is in the URL, and it works without JavaScript. */
export function OutcomeFilter({ action, filter }: Props) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <LiveForm
      action={action}
      label="Filter the outcomes"
      className="grid grid-cols-2 gap-3 text-sm sm:flex sm:flex-wrap sm:items-end"
    >
      {CHOICES.map(([name, label, any, options]) => (
        <label key={name} className="grid gap-1">
          <span className="text-muted">{label}</span>
          <select
            key={filter[name]}
            name={name}
            defaultValue={filter[name] ?? ""}
            className="w-full rounded-md border border-line bg-raised px-3 py-2"
          >
            <option value="">{any}</option>
            {Object.entries(options).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
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
        <Link href={action} scroll={false} className="py-2 underline underline-offset-2">
          Clear
        </Link>
      )}
    </LiveForm>
  );
}
