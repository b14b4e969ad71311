// Preloaded into a process: shifts its clock by CLOCK_SKEW_MS.
const offset = Number(process.env.CLOCK_SKEW_MS ?? 0);

if (offset !== 0) {
  const Real = Date;
  const now = () => Real.now() + offset;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, asked) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, asked),
    apply: () => new Real(now()).toString(),
    get: (target, key, asked) => (key === "now" ? now : Reflect.get(target, key, asked)),
  });
}
