/** Builds the pages unless the build is whole and of exactly these sources; ends the process when it fails. */
export declare function ensureBuild(): Promise<void>;
