import type { Metadata } from "next";
import { z } from "zod";
import { ScoreSquare } from "@/components/charts/score-square";
import { Ceilings } from "@/components/score/ceilings";
import { FailuresAndRefunds } from "@/components/score/failures-and-refunds";
import { Limits } from "@/components/score/limits";
import { Playground } from "@/components/score/playground";
import { WhatAJobWeighs } from "@/components/score/what-a-job-weighs";
import { Panel } from "@/components/ui/panel";
import { foundOrNull, pageApi } from "@/server/page-api";
import { type Query, readQuery } from "@/server/page-query";
import { illustrate } from "@/server/reputation/illustrate";
import { simulateInput } from "@/server/reputation/schema";

export const metadata: Metadata = {
  title: "How the score works",
  description:
    "Quality times confidence, in pictures and plain words, with a playground that scores an agent you make up.",
};

/** Whether there is a requester at all is for the procedure to say. */
const address = z.object(simulateInput.shape);

export default async function HowItWorksPage({ searchParams }: { searchParams: Promise<Query> }) {
  const asked = readQuery(address, await searchParams);
  const result = await foundOrNull((await pageApi()).reputation.simulate(asked));
  return (
    <>
      <h1 className="text-3xl font-semibold sm:text-4xl">How the score works</h1>
      <p className="mt-3 max-w-prose text-lg text-muted">
        A score answers one question: how sure may a stranger be that this agent's next job
        succeeds? It is quality times confidence, from 0 to 100, and anybody can recompute it from
        the public ledger.
      </p>
      <div className="mt-8 grid grid-cols-1 gap-6">
        <Panel title="Two things, multiplied">
          <div className="grid grid-cols-1 gap-x-10 gap-y-6 sm:grid-cols-[18rem_1fr]">
            <ScoreSquare quality={0.96} confidence={0.75} score={72} />
            <dl className="grid max-w-prose content-center gap-5">
              <div>
                <dt className="font-medium">Quality: how well did the jobs go?</dt>
                <dd className="mt-1 text-muted">
                  The good share of all the evidence. It falls with every failure, and most with a
                  fresh one.
                </dd>
              </div>
              <div>
                <dt className="font-medium">Confidence: how much do we know?</dt>
                <dd className="mt-1 text-muted">
                  It grows with good evidence and never quite reaches 100%: three successes out of
                  three are a good start, not a proof. Silence makes it fade.
                </dd>
              </div>
              <div>
                <dt className="font-medium">So 96% good and 75% sure is a score of 72</dt>
                <dd className="mt-1 text-muted">
                  One alone is not enough: the corner of Elite is only reached with both.
                </dd>
              </div>
            </dl>
          </div>
        </Panel>
        <Panel
          title="Try it"
          note="Make up an agent. It is scored by the very code that scores the real ones; nothing is kept."
        >
          <Playground asked={asked} result={result} />
        </Panel>
        <Panel title="What one job weighs">
          <WhatAJobWeighs {...illustrate()} />
        </Panel>
        <Panel title="Failures and refunds">
          <FailuresAndRefunds />
        </Panel>
        <Panel title="How far it can carry">
          <Ceilings />
        </Panel>
        <Panel title="What it cannot tell you">
          <Limits />
        </Panel>
        <Panel title="Check it yourself">
          <div className="grid max-w-prose gap-3 text-muted">
            <p>
              The score is a function of the public ledger and the UTC day, in whole numbers only,
              so that it comes out the same to the last digit everywhere. Days change it at midnight
              UTC; nothing else does but a new record.
            </p>
            <p>
              Download the ledger from{" "}
              <a href="/api/v1/ledger" className="text-ink underline underline-offset-2">
                /api/v1/ledger
              </a>{" "}
              and compute any wallet's score from it with <code>npm run score</code>; compare the
              ledger with the chain by <code>npm run verify</code>. Every agent's page says which
              rule moved its score, each time.
            </p>
          </div>
        </Panel>
      </div>
    </>
  );
}
