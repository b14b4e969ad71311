import type { Requirement } from "@/server/judging/requirements/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import { labelParameter } from "./requirement-fields";

interface Props {
  requirements: readonly Requirement[];
  /** Each requirement in words, in the same order. */
  descriptions: readonly string[];
}

/** Lists the requirements in words, each with the parameters that its description doesn't quote. */
export function RequirementTerms({ requirements, descriptions }: Props) {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {descriptions.map((description, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: signed terms never change
        <li key={index} className="grid grid-cols-[1.5rem_1fr] py-3">
          <span className="text-muted" aria-hidden="true">
            {index + 1}
          </span>
          <div className="min-w-0">
            <p className="font-medium break-words">{description}</p>
            <Parameters requirement={requirements[index]} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Longer texts are shown on demand. */
const MAX_SHOWN = 400;

/** What every description says. */
const IN_DESCRIPTION = new Set(["check", "min", "max", "minRows", "bytes"]);

/** Shows the parameters of a requirement that its description leaves out. */
function Parameters({ requirement }: { requirement: Requirement | undefined }) {
  const texts = Object.entries(requirement ?? {}).flatMap(([name, value]) =>
    IN_DESCRIPTION.has(name)
      ? []
      : [[labelParameter(name), removeBidiControls(formatParameter(value))] as const],
  );
  return texts.map(([label, text]) =>
    text.length > MAX_SHOWN ? (
      <details key={label} className="mt-1 text-sm">
        <summary className="w-fit cursor-pointer text-muted">{label}</summary>
        <pre className="mt-2 max-h-96 overflow-auto rounded-md bg-sunken p-3">{text}</pre>
      </details>
    ) : (
      <p key={label} className="mt-1 text-sm break-words whitespace-pre-wrap">
        <span className="text-muted">{label}: </span>
        <bdi>{text}</bdi>
      </p>
    ),
  );
}

function formatParameter(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? value.map((text) => `“${text}”`).join(", ") : JSON.stringify(value, null, 1);
}
