interface Props {
  steps: readonly string[];
  /** The current step, from 0. */
  at: number;
}

/** Shows the steps of a procedure side by side, those before the current one as done. */
export const ProgressSteps = ({ steps, at }: Props) => (
  <ol
    aria-label="Steps"
    role="status"
    className="grid gap-x-6 gap-y-3 sm:auto-cols-fr sm:grid-flow-col"
  >
    {steps.map((name, index) => (
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
