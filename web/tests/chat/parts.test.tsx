import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { buildBlocks } from "../../src/chat/blocks";
import { Fold } from "../../src/chat/fold";
import type { ChatPart, PlanData, PlanStepState, Question } from "../../src/chat/message";
import { PlanCard } from "../../src/chat/plan-card";
import { shareOf } from "../../src/chat/progress";
import { ProgressBar } from "../../src/chat/progress-bar";
import { QuestionCard } from "../../src/chat/question-card";
import { QuickReplies } from "../../src/chat/quick-replies";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { text, toolPart } from "./make";

const STATES: PlanStepState[] = ["pending", "active", "done", "skipped", "failed"];
const PLAN: PlanData = {
  title: "Move",
  steps: STATES.map((state) => ({ text: `A ${state} step`, state })),
};

const plan = (): ChatPart => ({ type: "data-plan", id: "plan", data: PLAN });
const replies = (...said: string[]): ChatPart => ({
  type: "data-quick-replies",
  id: "replies",
  data: { replies: said },
});

describe("blocks of what tools show", () => {
  it("ends a fold, and leaves out the calls that only show", () => {
    const shows = toolPart({ toolName: "ai.showPlan", toolCallId: "p" });
    const suggests = toolPart({ toolName: "ai.suggestReplies", toolCallId: "s" });
    const blocks = buildBlocks([toolPart(), shows, plan(), text("So."), suggests, replies("Go")]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["steps", "plan", "text", "replies"]);
    expect(blocks[0]).toMatchObject({ steps: [{ toolName: "catalog.listSystems" }] });
  });

  it("shows a call that failed to show something", () => {
    const failed = toolPart({ toolName: "ai.showPlan", state: "output-error", errorText: "No." });
    expect(buildBlocks([failed])).toMatchObject([{ kind: "steps" }]);
  });

  it("has no replies where there are none, and each source once", () => {
    const source: ChatPart = { type: "source-url", sourceId: "a", url: "https://a.example" };
    expect(buildBlocks([replies()])).toEqual([]);
    expect(buildBlocks([source, source])).toMatchObject([{ sources: [{ sourceId: "a" }] }]);
  });
});

describe("a plan", () => {
  it.each(STATES)("says to everybody that a step is %s", (state) => {
    renderPage(<PlanCard data={PLAN} passed={false} />);
    const step = screen.getByText(`A ${state} step`).closest("li");
    expect(step).toHaveTextContent(`A ${state} step (${texts.chat.plan.states[state]})`);
    expect(screen.getByText("1 of 5 done")).toBeVisible();
  });

  it("folds once something else was said, and can be opened", async () => {
    renderPage(<PlanCard data={PLAN} passed />);
    const card = screen.getByRole("group");
    expect(card).not.toHaveAttribute("open");
    await userEvent.click(screen.getByText("Move"));
    expect(card).toHaveAttribute("open");
  });
});

describe("quick replies", () => {
  it("say what they show, once and not while something goes on", async () => {
    const onSay = vi.fn();
    const { unmount } = renderPage(
      <QuickReplies replies={["Go", "Stop"]} blocked={false} onSay={onSay} />,
    );
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(onSay.mock.calls).toEqual([["Stop"]]);
    unmount();
    renderPage(<QuickReplies replies={["Go"]} blocked onSay={onSay} />);
    expect(screen.getByRole("button", { name: "Go" })).toBeDisabled();
  });
});

describe("progress", () => {
  it("knows its share, where there is one", () => {
    expect(shareOf({ done: 12, total: 48 })).toBe(25);
    expect(shareOf({ done: 60, total: 48 })).toBe(100);
    expect(shareOf({ done: 1 })).toBeNull();
    expect(shareOf({ done: 0, total: 0 })).toBeNull();
  });

  it("is read out", () => {
    renderPage(<ProgressBar title="Grind" progress={{ done: 3, total: 9, text: "Sack 3" }} />);
    const bar = screen.getByRole("progressbar", { name: "Progress of Grind" });
    expect(bar).toHaveAttribute("aria-valuenow", "3");
    expect(bar).toHaveAttribute("aria-valuemax", "9");
    expect(screen.getByText("3 of 9")).toBeVisible();
  });
});

describe("a fold", () => {
  const edge = { id: "1", systemId: "a", dependsOnId: "b", strength: "hard" };

  it("is folded for what has no view, and opens for what has one or failed", () => {
    const { container, unmount } = renderPage(<Fold steps={[toolPart()]} working={false} />);
    expect(container.querySelector("details")).not.toHaveAttribute("open");
    unmount();
    for (const fields of [
      { toolName: "dependency.list", output: { items: [edge] } },
      { state: "output-error", errorText: "No." },
    ]) {
      const shown = renderPage(<Fold steps={[toolPart(fields)]} working={false} />);
      expect(shown.container.querySelector("details")).toHaveAttribute("open");
      shown.unmount();
    }
  });

  it("shows a view by the tool's name, and the plain result where it does not fit", async () => {
    const known = toolPart({ toolName: "dependency.list", output: { items: [edge] } });
    const { unmount } = renderPage(<Fold steps={[known]} working={false} />);
    expect(await screen.findByText("Hard")).toBeVisible();
    expect(screen.getAllByRole("link")).toHaveLength(2);
    unmount();
    const strange = toolPart({ toolName: "dependency.list", output: { items: [{ odd: "x" }] } });
    renderPage(<Fold steps={[strange]} working={false} />);
    expect(await screen.findByRole("columnheader", { name: "odd" })).toBeVisible();
  });
});

describe("questions", () => {
  const questions: Question[] = [
    { key: "where", text: "Where?", kind: "choice", options: ["Here", "There"] },
    { key: "days", text: "When?", kind: "choices", options: ["Mon", "Tue"] },
    { key: "why", text: "Why?", kind: "text" },
  ];

  it("are asked one at a time, by keyboard alone, and going back loses nothing", async () => {
    const onAnswer = vi.fn();
    renderPage(
      <QuestionCard
        questions={questions}
        answer={null}
        passed={false}
        blocked={false}
        onAnswer={onAnswer}
      />,
    );
    expect(screen.getByText("Question 1 of 3")).toBeVisible();
    expect(screen.queryByText("When?")).toBeNull();
    await userEvent.tab();
    await userEvent.keyboard("2{Enter}");
    expect(screen.getByText("Question 2 of 3")).toBeVisible();
    expect(screen.getByRole("checkbox", { name: "Mon" })).toHaveFocus();
    await userEvent.keyboard("12{Enter}");
    expect(screen.getByRole("textbox", { name: "Why?" })).toHaveFocus();
    await userEvent.keyboard("It is time");
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.getByRole("checkbox", { name: "Tue" })).toBeChecked();
    await userEvent.keyboard("{Enter}{Enter}");
    expect(onAnswer.mock.calls).toEqual([
      [{ where: "There", days: ["Mon", "Tue"], why: "It is time" }],
    ]);
  });

  it("send nothing while something goes on, nor what is incomplete", async () => {
    const onAnswer = vi.fn();
    const [, , why] = questions as [Question, Question, Question];
    renderPage(
      <QuestionCard questions={[why]} answer={null} passed={false} blocked onAnswer={onAnswer} />,
    );
    await userEvent.type(screen.getByRole("textbox"), "x{Enter}");
    expect(onAnswer).not.toHaveBeenCalled();
    const form = within(screen.getByRole("form"));
    expect(form.getByRole("button", { name: "Answer" })).toBeDisabled();
  });
});
