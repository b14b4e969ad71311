import type { ComponentProps } from "react";

/** Links to an owner page with a full page load, so that the page's own security policy applies. */
export const OwnerPageLink = (props: ComponentProps<"a">) => <a {...props} />;
