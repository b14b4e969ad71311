"use client";

import { useMutation } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { ErrorNotice } from "@/components/wallet/error-notice";

interface Action {
  run: () => Promise<unknown>;
}

/** Carries out an action, and says why it failed. */
export function ActionButton({ run, ...button }: Action & ComponentProps<typeof Button>) {
  const action = useMutation({ networkMode: "always", mutationFn: run });
  return (
    <>
      <Button {...button} busy={action.isPending} onClick={() => action.mutate()} />
      <ErrorNotice error={action.error} className="basis-full" />
    </>
  );
}

/** Carries out an action once it is confirmed, and says why it failed. */
export function ConfirmAction({
  run,
  ...button
}: Action & Omit<ComponentProps<typeof ConfirmButton>, "busy" | "onConfirm">) {
  const action = useMutation({ networkMode: "always", mutationFn: run });
  return (
    <>
      <ConfirmButton {...button} busy={action.isPending} onConfirm={() => action.mutate()} />
      <ErrorNotice error={action.error} className="basis-full" />
    </>
  );
}
