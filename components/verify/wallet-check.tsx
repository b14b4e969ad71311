"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Fact } from "@/components/ui/fact";
import { TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import {
  capitalizeFirst,
  formatAmount,
  formatCount,
  formatScore,
  shortenHex,
} from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";
import { FullLink, TextLink } from "@/components/ui/text-link";
import type {
  ShownDifference,
  ShownVerification,
  VerifierReport,
  VerifierRequest,
} from "./verify-wallet";

interface Props extends Omit<VerifierRequest, "origin" | "node"> {
  /** URL of the chain's node to begin with; null if no public one is known. */
  node: string | null;
  chainName: string;
}

/** Verifies a wallet in a worker once there is a node, and shows the progress and the result. */
export function WalletCheck({ chainName, ...props }: Props) {
  const [node, setNode] = useState(props.node);
  return (
    <>
      {node === null ? (
        <Notice title={`No public node of ${chainName} is known`}>
          Enter one below, run the command, or{" "}
          <FullLink href="/api/v1/ledger">download the ledger</FullLink>.
        </Notice>
      ) : (
        <NodeCheck {...props} node={node} />
      )}
      <NodeForm isOpen={node === null} onChoose={setNode} />
    </>
  );
}

/** Lets the reader choose whose node the chain is read from. */
function NodeForm(props: { isOpen: boolean; onChoose: (node: string) => void }) {
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    props.onChoose(String(new FormData(event.currentTarget).get("node")));
  };
  return (
    <Fold summary="Use your own node" open={props.isOpen} className="needs-script mt-4">
      <form onSubmit={choose}>
        <TextField
          label="Your own node"
          name="node"
          type="url"
          pattern="https?://.+"
          required
          placeholder="https://"
          hint="One that you trust. It must allow requests from web pages (CORS)."
        />
        <Button type="submit" small className="mt-3">
          Check with this node
        </Button>
      </form>
    </Fold>
  );
}

type NodeCheckProps = Omit<VerifierRequest, "origin">;

function NodeCheck({ node, ...records }: NodeCheckProps) {
  const [report, setReport] = useState<VerifierReport | null>(null);
  const [attempt, setAttempt] = useState(1);
  const worker = useRef<Worker | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another node and a new attempt start a new worker.
  useEffect(() => {
    setReport(null);
    const started = new Worker(new URL("./verifier.worker.ts", import.meta.url), {
      type: "module",
    });
    worker.current = started;
    started.onmessage = ({ data }: MessageEvent<VerifierReport>) => setReport(data);
    started.onerror = () => setReport({ type: "error", message: "The verifier failed to load." });
    const request: VerifierRequest = { ...records, node, origin: location.origin };
    started.postMessage(request);
    return () => started.terminate();
  }, [node, attempt]);

  function cancel() {
    worker.current?.terminate();
    setReport({ type: "cancelled" });
  }

  const isRunning = report === null || report.type === "progress";
  return (
    // As high as the usual result, so that nothing below moves when it arrives.
    <div aria-busy={isRunning} className="needs-script flex min-h-64 flex-col sm:min-h-48">
      <div className="flex-1">
        {(report === null || report.type === "progress") && <CheckProgress progress={report} />}
        {report?.type === "result" && (
          <CheckResult {...report.verification} node={new URL(node).host} />
        )}
        {report?.type === "cancelled" && (
          <p role="status" className="text-muted">
            Cancelled. Nothing was compared.
          </p>
        )}
        {report?.type === "error" && (
          <Notice role="alert" title="The check could not be completed">
            {report.message}
          </Notice>
        )}
      </div>
      <p className="mt-5">
        {/* One button, so that it keeps the focus. */}
        <Button small onClick={isRunning ? cancel : () => setAttempt(attempt + 1)}>
          {isRunning ? "Cancel" : "Check again"}
        </Button>
      </p>
    </div>
  );
}

type Progress = Extract<VerifierReport, { type: "progress" }>;

/** Shows how much of the ledger has been read; null before the first report. */
function CheckProgress({ progress }: { progress: Progress | null }) {
  const { blocks = 0, allBlocks = 1, records = 0, allRecords } = progress ?? {};
  const isRead = progress !== null && blocks >= allBlocks;
  return (
    <div>
      <p role="status" className="font-medium">
        {isRead ? "Recomputing the score…" : "Reading the ledger from the chain…"}
      </p>
      <progress
        aria-label="Blocks read"
        value={blocks}
        max={allBlocks}
        className="mt-3 block h-2 w-full overflow-hidden rounded-full bg-sunken accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="mt-2 text-sm text-muted">
        {allRecords === undefined
          ? "Connecting to the node"
          : `${formatAmount(records)} of ${formatAmount(allRecords)} records, ${formatAmount(blocks)} of ${formatAmount(allBlocks)} blocks`}
      </p>
    </div>
  );
}

/** Shows whether the service agrees with the chain, and every difference. */
function CheckResult({ node, ...verification }: ShownVerification & { node: string }) {
  const { faults, differences, records, block, outcomes, score } = verification;
  const { lostEvidence, scoreWithoutAnchors } = verification;
  const isAgreed = faults.length === 0 && differences.length === 0;
  if (isAgreed && outcomes === 0) {
    return (
      <div role="status">
        <p className="font-serif text-2xl font-semibold">No record of this wallet's work</p>
        <p className="mt-2 text-muted">
          {formatCount(records, "record")} read, none about its work. The service shows none either,
          so there was nothing to compare.
        </p>
      </div>
    );
  }
  return (
    <div data-agreed={isAgreed || undefined}>
      <p
        role="status"
        className={`flex items-center gap-2.5 font-serif text-2xl font-semibold ${isAgreed ? "text-good" : "text-bad"}`}
      >
        <Icon
          path={isAgreed ? "M4 10.5l4 4L16 6" : "M5 5l10 10M15 5L5 15"}
          className="size-6 shrink-0"
          strokeWidth={2.2}
        />
        {summarize(verification)}
      </p>
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 [&_dd]:text-2xl [&_dd]:font-medium">
        <Fact label="Score shown">{formatScore(score)}</Fact>
        <Fact label="Score recomputed">{describeRecomputed(verification)}</Fact>
        <Fact
          label={
            <>
              Without <TextLink href="/anchors">known clients</TextLink>
            </>
          }
        >
          {faults.length > 0 ? "–" : formatScore(scoreWithoutAnchors)}
        </Fact>
      </dl>
      <p className="mt-4 text-sm text-muted">
        {formatCount(outcomes, "job")} compared with {formatCount(records, "record")} up to block{" "}
        {formatAmount(block)}, read from <span className="break-all">{node}</span>.
        {lostEvidence > 0 &&
          ` Evidence of ${formatCount(lostEvidence, "verdict")} lost, not compared.`}
      </p>
      {faults.length > 0 && (
        <ul className="mt-4 list-disc space-y-1 pl-5">
          {faults.slice(0, 20).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {differences.length > 0 && <DifferenceList differences={differences} />}
    </div>
  );
}

function summarize({ faults, differences }: ShownVerification): string {
  if (faults.length > 0) return "The node's ledger contradicts the contract";
  return differences.length > 0
    ? formatCount(differences.length, "difference")
    : "Everything agrees";
}

/** Returns the score from the ledger; a dash if none was computed. */
function describeRecomputed({ faults, differences, score }: ShownVerification): string {
  if (faults.length > 0 || differences.some(({ field }) => field === "scoreDay")) return "–";
  const differing = differences.find(({ field }) => field === "score");
  return (differing ? Number(differing.expected) : score).toFixed(2);
}

/** Lists differences by subject, each with the values of both sides and the records behind them. */
function DifferenceList({ differences }: { differences: ShownDifference[] }) {
  const bySubject = Map.groupBy(differences, ({ subject }) => subject);
  return (
    <ul className="mt-6 grid gap-6">
      {[...bySubject].map(([subject, group]) => (
        <li key={subject} className="min-w-0">
          <h3 className="font-medium break-words">{capitalizeFirst(subject)}</h3>
          <Table
            caption={`Differences of ${subject}`}
            className="mt-2 text-sm"
            rows={group}
            columns={[
              ["Field", "py-2 pr-4 align-top", ({ field }) => field || "all"],
              [
                "Service",
                "py-2 pr-4 align-top break-all",
                ({ shown }) => <span className="text-bad">{formatValue(shown)}</span>,
              ],
              ["Ledger", "py-2 align-top break-all", ({ expected }) => formatValue(expected)],
            ]}
          />
          <Records records={group[0]?.records ?? []} />
        </li>
      ))}
    </ul>
  );
}

/** Lists the ledger records that the expected values come from. */
function Records({ records }: { records: ShownDifference["records"] }) {
  if (records.length === 0) return null;
  return (
    <Fold summary={formatCount(records.length, "record")} className="mt-2">
      <ul className="max-h-72 overflow-y-auto text-sm">
        {records
          .toSorted((a, b) => a.seq - b.seq)
          .map(({ seq, description, txHash }) => (
            <li key={seq} className="py-1 break-words text-muted">
              <span className="text-ink">#{seq}</span> {description}, transaction{" "}
              <code title={txHash}>{shortenHex(txHash)}</code>
            </li>
          ))}
      </ul>
    </Fold>
  );
}

const formatValue = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
