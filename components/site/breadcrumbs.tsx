import { Link } from "@/components/ui/link";
import { removeBidiControls } from "@/server/lib/bidi";
import { StructuredData } from "./structured-data";
import { UntrustedText } from "./untrusted-text";

interface Props {
  /** Public URL of the service, without a trailing slash. */
  origin: string;
  /** The pages above the current one, the highest first. */
  parents: readonly { label: string; path: string }[];
  /** Name of the current page; may be untrusted. */
  current: string;
}

/** Links to the lists that the page belongs to, also as structured data for search engines. */
export function Breadcrumbs({ origin, parents, current }: Props) {
  return (
    <nav aria-label="Breadcrumbs" className="-mt-4 mb-2 text-sm text-muted sm:-mt-6">
      <ol className="flex min-w-0 items-center">
        {parents.map(({ label, path }) => (
          <li key={path} className="flex shrink-0 items-center after:px-2 after:content-['/'_/_'']">
            <Link
              href={path}
              className="inline-flex min-h-6 items-center underline-offset-4 hover:text-ink hover:underline"
            >
              {label}
            </Link>
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate text-ink">
          <UntrustedText>{current}</UntrustedText>
        </li>
      </ol>
      <StructuredData data={describeTrail({ origin, parents, current })} />
    </nav>
  );
}

/** Returns the schema.org `BreadcrumbList`. */
function describeTrail({ origin, parents, current }: Props) {
  const items = [
    ...parents.map(({ label, path }) => ({ name: label, item: `${origin}${path}` })),
    { name: removeBidiControls(current) },
  ];
  return {
    "@type": "BreadcrumbList",
    itemListElement: items.map((item, index) => ({
      "@type": "ListItem",
      position: index + 1,
      ...item,
    })),
  };
}
