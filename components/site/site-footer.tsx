import { FooterColumns } from "./footer-columns";
import { FOOTER_GROUPS, listFooterPages } from "./pages";
import type { Theme } from "./theme";

export function SiteFooter({ theme }: { theme: Theme }) {
  return (
    <FooterColumns
      theme={theme}
      columns={FOOTER_GROUPS.map((title) => [
        title,
        listFooterPages(title).map(({ route, label }) => [route, label]),
      ])}
    />
  );
}
