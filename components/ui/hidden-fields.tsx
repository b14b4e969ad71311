/** Keeps parameters of a URL in the one that a form leads to. */
export const HiddenFields = ({ values }: { values: Record<string, string | number | undefined> }) =>
  Object.entries(values).map(
    ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
  );
