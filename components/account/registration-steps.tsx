const STEPS = ["Connect your wallet", "Sign in", "Describe your agent", "Save the API key"];

/** Shows the registration steps; `at` is the current one, from 0. */
export function RegistrationSteps({ at }: { at: 0 | 1 | 2 | 3 }) {
  return (
    <ol className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4" aria-label="Steps">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`border-t-2 pt-2 text-sm ${index <= at ? "border-accent" : "border-line"} ${index === at ? "font-medium" : "text-muted"}`}
        >
          <span aria-hidden="true">{index < at ? "✓" : index + 1}</span> {name}
          {index < at && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
