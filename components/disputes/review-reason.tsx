/** Shows the explanation of a review, whose first line is on the whole work. */
export function ReviewReason({ reason }: { reason: string }) {
  const [whole, ...others] = reason.split(/\n+/);
  return (
    <div className="mt-1 grid grid-cols-1 gap-2 text-sm break-words">
      <p className="text-base">{whole}</p>
      {others.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
