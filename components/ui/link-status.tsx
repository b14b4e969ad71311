"use client";

import { useLinkStatus } from "next/link";

/** Shows at the top of the window that the page of the link around it is on its way. */
export const LinkStatus = () =>
  useLinkStatus().pending && <span className="loading-bar" aria-hidden="true" />;
