import type { ViewerSystem } from "swagger-ui-dist/swagger-ui-bundle.js";

/**
 * The viewer's parts without its frame: the page has a main part and a title already, and there is
 * one server.
 */
export function houseLayout({ React }: ViewerSystem) {
  const { createElement } = React;
  return {
    components: {
      HouseLayout({
        getComponent,
        specSelectors,
      }: Pick<ViewerSystem, "getComponent" | "specSelectors">) {
        if (specSelectors.loadingStatus() !== "success") return null;
        const part = (name: string, isContainer = true) =>
          createElement(getComponent(name, isContainer), { key: name });
        return createElement("div", { className: "swagger-ui" }, [
          part("SvgAssets", false),
          part("AuthorizeBtnContainer"),
          part("errors"),
          part("operations"),
          createElement("h3", { key: "title", className: "opblock-tag" }, "What webhooks are sent"),
          part("Webhooks"),
        ]);
      },
    },
  };
}
