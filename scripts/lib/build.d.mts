/** Builds the pages unless the build is complete and current; exits the process on failure. */
export declare function ensureBuild(): Promise<void>;
