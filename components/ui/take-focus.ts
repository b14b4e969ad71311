/** Focuses an element as it appears: for `ref`. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
