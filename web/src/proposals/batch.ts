/** Deciding about several at once: which may be among them, and each one's own result. */

import { describeFailure } from "../api/failure";
import { type BatchDecision, decideProposals, requestToken } from "../api/proposals";
import type { ProposalLine } from "../api/types";
import { texts } from "../texts";

const words = texts.inbox;

export type BatchKind = BatchDecision["kind"];

export interface BatchResult {
  id: string;
  summary: string;
  good: boolean;
  says: string;
}

/** Why one is decided by itself; nothing when it may be among others. Pure. */
export function whyAlone({ effect, egress, isRed, secrets }: ProposalLine): string | null {
  if (isRed) return words.alone.red;
  if (effect === "destructive") return words.alone.destructive;
  if (secrets.length > 0) return words.alone.secrets;
  return egress ? words.alone.egress : null;
}

interface Problem {
  detail?: string | null;
  title?: string | null;
}

const failed = ({ id, summary }: ProposalLine, says: string): BatchResult => ({
  id,
  summary,
  good: false,
  says,
});

async function withToken(
  line: ProposalLine,
  kind: BatchKind,
): Promise<BatchDecision | BatchResult> {
  try {
    return { id: line.id, token: (await requestToken(line.id)).token, kind };
  } catch (error) {
    return failed(line, describeFailure(error));
  }
}

type Decided = Awaited<ReturnType<typeof decideProposals>>[number];

function describe(line: ProposalLine, decided: Decided | undefined): BatchResult {
  const proposal = decided?.proposal ?? null;
  if (proposal === null) {
    const problem: Problem | null = decided?.problem ?? null;
    return failed(line, problem?.detail ?? problem?.title ?? words.failed);
  }
  const { state, approvals } = proposal;
  const waits = state === "proposed" && approvals !== null;
  return {
    id: line.id,
    summary: line.summary,
    good: state !== "failed" && state !== "outcome_unknown",
    says: waits ? words.waitsForOthers(approvals.missing) : texts.proposals.states[state],
  };
}

/** One that fails holds back no other. */
export async function decideAll(
  lines: readonly ProposalLine[],
  kind: BatchKind,
): Promise<BatchResult[]> {
  const asked = await Promise.all(lines.map((line) => withToken(line, kind)));
  const ready = asked.filter((one): one is BatchDecision => "token" in one);
  const decided = ready.length > 0 ? await decideProposals(ready) : [];
  return lines.map((line, nth) => {
    const one = asked[nth];
    if (one !== undefined && !("token" in one)) return one;
    return describe(
      line,
      decided.find(({ id }) => id === line.id),
    );
  });
}
