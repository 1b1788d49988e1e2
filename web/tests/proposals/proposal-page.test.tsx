import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Proposal } from "../../src/api/types";
import { ProposalPage } from "../../src/proposals/proposal-page";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { problem, stubServer } from "../server";
import { HASH, ID, inMinutes, makeProposal } from "./make";

const words = texts.card;
const GET = `GET /api/proposals/${ID}`;
const TOKEN = `POST /api/proposals/${ID}/token`;
const APPLY = `POST /api/proposals/${ID}/apply`;
const DECLINE = `POST /api/proposals/${ID}/decline`;
const RESOLVE = `POST /api/proposals/${ID}/resolve`;
const ISSUED = { body: { token: "secret-token", payloadHash: HASH, expiresAt: inMinutes(10) } };

function open() {
  return renderPage(
    <Routes>
      <Route path="/proposals/:proposalId" element={<ProposalPage />} />
    </Routes>,
    { at: `/proposals/${ID}` },
  );
}

/** A server that keeps one proposal; decisions change what it answers from then on. */
function keep(first: Partial<Proposal> = {}) {
  const kept = { now: makeProposal(first) };
  const become = (fields: Partial<Proposal>) => {
    kept.now = { ...kept.now, ...fields };
    return { body: kept.now };
  };
  return { become, answers: { [GET]: () => ({ body: kept.now }), [TOKEN]: ISSUED } };
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

function posted(asked: { method: string; path: string }[]) {
  return asked.filter(({ method }) => method === "POST").map(({ path }) => path.split("/").at(-1));
}

afterEach(() => {
  vi.useRealTimers();
});

describe("ProposalPage", () => {
  it("applies with a fresh token and shows the receipt", async () => {
    const { answers, become } = keep();
    const asked = stubServer({
      ...answers,
      [APPLY]: () => become({ state: "applied", result: { id: "system-9" } }),
    });
    const { container } = open();
    await press(words.apply);
    expect(await screen.findByText("system-9")).toBeVisible();
    expect(posted(asked)).toEqual(["token", "apply"]);
    expect(asked.find(({ path }) => path.endsWith("/apply"))?.body).toEqual({
      token: "secret-token",
      secrets: {},
    });
    expect(container.innerHTML).not.toContain("secret-token");
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("secret-token");
  });

  it("sends one decision for a double click", async () => {
    const { answers, become } = keep();
    const asked = stubServer({ ...answers, [APPLY]: () => become({ state: "applied" }) });
    open();
    const apply = await screen.findByRole("button", { name: words.apply });
    act(() => {
      apply.click();
      apply.click();
    });
    await screen.findAllByText(words.applied);
    expect(posted(asked)).toEqual(["token", "apply"]);
  });

  it("declines with the reason", async () => {
    const { answers, become } = keep();
    const asked = stubServer({
      ...answers,
      [DECLINE]: () => become({ state: "declined", declineReason: "Not now." }),
    });
    open();
    await press(words.decline);
    await userEvent.keyboard("Not now.");
    await press(words.declineConfirm);
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(asked.find(({ path }) => path.endsWith("/decline"))?.body).toEqual({
      token: "secret-token",
      reason: "Not now.",
    });
  });

  it("resolves an unknown outcome without a token", async () => {
    const { answers, become } = keep({ state: "outcome_unknown" });
    const asked = stubServer({ ...answers, [RESOLVE]: () => become({ state: "applied" }) });
    open();
    await press(words.happened);
    await screen.findAllByText(words.applied);
    expect(posted(asked)).toEqual(["resolve"]);
    expect(asked.find(({ path }) => path.endsWith("/resolve"))?.body).toEqual({
      outcome: "applied",
    });
  });

  it("shows what somebody else decided in the meantime", async () => {
    const { answers, become } = keep();
    stubServer({
      ...answers,
      [APPLY]: () => {
        become({ state: "declined", declineReason: "I was faster." });
        return problem(409, { code: "conflict" });
      },
    });
    open();
    await press(words.apply);
    expect(await screen.findByText(words.failures.elsewhere)).toBeVisible();
    expect(screen.getByText("I was faster.")).toBeVisible();
    expect(screen.queryByRole("button", { name: words.apply })).toBeNull();
  });

  it("says that the time was over", async () => {
    const { answers } = keep();
    stubServer({ ...answers, [TOKEN]: problem(410, { code: "expired" }) });
    open();
    await press(words.apply);
    expect(await screen.findByText(words.failures.expired)).toBeVisible();
  });

  it("leads to the fresh card when something changed in the meantime", async () => {
    const { answers, become } = keep();
    stubServer({
      ...answers,
      [APPLY]: () => {
        become({ state: "superseded", supersededBy: "proposal-2" });
        return problem(412, { code: "changed", successorId: "proposal-2" });
      },
    });
    open();
    await press(words.apply);
    const link = await screen.findByRole("link", { name: words.toSuccessor });
    expect(link).toHaveAttribute("href", "/proposals/proposal-2");
    expect(screen.getByText(words.supersededBody)).toBeVisible();
  });

  it("knows the fresh card even when the old one cannot be read again", async () => {
    const { answers } = keep();
    stubServer({
      ...answers,
      [APPLY]: problem(412, { code: "changed", successorId: "proposal-2" }),
    });
    open();
    await press(words.apply);
    expect(await screen.findByText(words.failures.changed)).toBeVisible();
    expect(screen.getByRole("link", { name: words.toSuccessor })).toBeVisible();
  });

  it("names the rule that is missing", async () => {
    const { answers } = keep();
    stubServer({
      ...answers,
      [TOKEN]: problem(403, { code: "missing_rule", rule: "catalog.system.manage" }),
    });
    open();
    await press(words.apply);
    expect(await screen.findByText("catalog.system.manage")).toBeVisible();
    expect(screen.getByRole("button", { name: words.apply })).toBeVisible();
  });

  it("sends nothing when the token is for something else than what is shown", async () => {
    const { answers } = keep();
    const other = { ...ISSUED.body, payloadHash: "cd".repeat(32) };
    const asked = stubServer({ ...answers, [TOKEN]: { body: other } });
    open();
    await press(words.apply);
    expect(await screen.findByText(words.failures.notTheSame)).toBeVisible();
    expect(posted(asked)).toEqual(["token"]);
    expect(asked.filter(({ method }) => method === "GET").length).toBeGreaterThan(1);
  });

  it("loses nothing when the server is not reached, and goes on when it is", async () => {
    const { answers, become } = keep();
    let reachable = false;
    stubServer({
      ...answers,
      [DECLINE]: () => {
        if (!reachable) throw new TypeError("Failed to fetch");
        return become({ state: "declined", declineReason: "Not now." });
      },
    });
    open();
    await press(words.decline);
    await userEvent.keyboard("Not now.");
    await press(words.declineConfirm);
    expect(await screen.findByText(words.failures.unreachable)).toBeVisible();
    expect(screen.getByRole("textbox")).toHaveValue("Not now.");
    reachable = true;
    await press(words.declineConfirm);
    expect(await screen.findByText(words.declined)).toBeVisible();
    expect(screen.queryByText(words.failures.unreachable)).toBeNull();
  });

  it("knows its own decision again whose answer was lost", async () => {
    const { answers, become } = keep();
    let tries = 0;
    stubServer({
      ...answers,
      [APPLY]: () => {
        tries += 1;
        if (tries > 1) return problem(409, { code: "conflict" });
        become({ state: "applied" });
        throw new TypeError("Failed to fetch");
      },
      [TOKEN]: () => (tries === 0 ? ISSUED : problem(409, { code: "conflict" })),
    });
    open();
    await press(words.apply);
    expect(await screen.findByText(words.failures.unreachable)).toBeVisible();
    await press(words.apply);
    await screen.findAllByText(words.applied);
    expect(screen.queryByText(words.failures.elsewhere)).toBeNull();
  });

  it("follows a change that takes longer until it is over, then stops looking", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { answers, become } = keep({ state: "applying" });
    const asked = stubServer(answers);
    open();
    expect(await screen.findByRole("progressbar", { name: words.applying })).toBeVisible();
    become({ state: "applied", result: "all good" });
    await vi.advanceTimersByTimeAsync(30_100);
    expect(await screen.findByText("all good")).toBeVisible();
    const looked = asked.length;
    await vi.advanceTimersByTimeAsync(90_000);
    expect(asked.length).toBe(looked);
  });

  it("notices by itself that another tab has decided, though nobody says so", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { answers, become } = keep();
    stubServer(answers);
    open();
    await screen.findByRole("button", { name: words.apply });
    become({ state: "declined", declineReason: "From the other tab." });
    await vi.advanceTimersByTimeAsync(30_100);
    expect(await screen.findByText("From the other tab.")).toBeVisible();
  });

  it("puts the keyboard where the decision was when its button is gone", async () => {
    const { answers, become } = keep();
    stubServer({ ...answers, [APPLY]: () => become({ state: "applied" }) });
    open();
    await press(words.apply);
    await screen.findAllByText(words.applied);
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  });

  it("says when there is no such proposal", async () => {
    stubServer({ [GET]: problem(404) });
    open();
    expect(await screen.findByText(texts.states.missingTitle)).toBeVisible();
  });
});
