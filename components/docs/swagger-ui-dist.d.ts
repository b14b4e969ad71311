declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  import type * as react from "react";

  /** The subset used here. */
  export interface ViewerSystem {
    /** The viewer's own React. */
    React: Pick<typeof react, "createElement">;
    getComponent(name: string, isContainer: boolean): react.ComponentType;
    specSelectors: { loadingStatus(): string };
  }

  export default function SwaggerUI(options: {
    url: string;
    domNode: HTMLElement | null;
    plugins: ((system: ViewerSystem) => object)[];
    layout: string;
    docExpansion: "list" | "full" | "none";
    defaultModelsExpandDepth: number;
    deepLinking: boolean;
    validatorUrl: null;
    supportedSubmitMethods: string[];
    onComplete(): void;
  }): unknown;
}
