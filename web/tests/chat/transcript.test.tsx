import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { CHAT, makeView, stored, text, toolPart } from "./make";
import { composer, keptAnswer, open, said, setStage, stage, wholeAnswer } from "./stage";
import { DONE, delta, START, streamOf, textStart } from "./streams";

beforeEach(setStage);

describe("the transcript", () => {
  it("folds steps, and shows what went in and came out on unfolding", async () => {
    stage.messages = [said(1, "hello"), stored(2, "assistant", [toolPart(), text("Five.")])];
    open();
    expect(await screen.findByText("Five.")).toBeVisible();
    expect(screen.queryByText("checkout")).toBeNull();
    await userEvent.click(screen.getByText("Looked at systems"));
    expect(await screen.findByText("checkout")).toBeVisible();
    expect(screen.getByText("catalog.listSystems")).toBeVisible();
  });

  it("opens what went wrong", async () => {
    const failed = toolPart({ state: "output-error", errorText: "No such group." });
    stage.messages = [said(1, "hello"), stored(2, "assistant", [failed])];
    open();
    expect(await screen.findByText("No such group.")).toBeVisible();
  });

  it("follows what runs already, from its beginning", async () => {
    stage.view = makeView({ status: "running", activeRunId: "run-1" });
    stage.messages = [said(1, "hello")];
    stage.stream = () => {
      stage.view = makeView();
      stage.messages = [
        said(1, "hello"),
        { ...stored(2, "assistant", [text("All of it.")]), id: "answer-1" },
      ];
      return wholeAnswer("All of it.")();
    };
    open();
    expect(await screen.findByText("All of it.")).toBeVisible();
    expect(screen.getAllByRole("article", { name: "Assent said" })).toHaveLength(1);
  });

  it("shows a failed turn after a reload as it did live, and asks again", async () => {
    const failed = stored(2, "assistant", [text("Half")]);
    Object.assign(failed.metadata, {
      status: "failed",
      error: { code: "quota", message: "No credit." },
    });
    stage.messages = [said(1, "hello"), failed];
    stage.stream = keptAnswer("hello", "Hi.");
    open();
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The answer broke off");
    expect(alert).toHaveTextContent("No credit.");
    await userEvent.click(within(alert).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(stage.sent).toHaveLength(1));
    expect(stage.sent[0]).toMatchObject({ retry: { messageId: said(1, "hello").id } });
    expect(screen.queryByText("Half")).toBeNull();
    expect(await screen.findByText("Hi.")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("puts a notice away for good", async () => {
    const failed = stored(2, "assistant", [text("Half")]);
    Object.assign(failed.metadata, { status: "failed", error: null });
    stage.messages = [said(1, "hello"), failed];
    open();
    const alert = await screen.findByRole("alert");
    await userEvent.click(within(alert).getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("Half")).toBeVisible();
  });

  it("replaces an answer that another server took over", async () => {
    stage.messages = [said(1, "hello")];
    const streams = [
      () => streamOf([START, textStart(1), delta(2, "One, tw"), DONE]),
      wholeAnswer("One, two, three."),
    ];
    stage.stream = () => {
      stage.view = makeView({ status: "running", activeRunId: "run-1" });
      const next = streams.shift();
      if (next === undefined) return new Response(null, { status: 204 });
      if (streams.length === 0) {
        stage.view = makeView();
        const whole = stored(2, "assistant", [text("One, two, three.")], "run-1");
        stage.messages = [said(1, "count"), { ...whole, id: "answer-1" }];
      }
      return next();
    };
    open();
    await userEvent.type(await composer(), "count{Enter}");
    expect(await screen.findByText("One, two, three.")).toBeVisible();
    expect(screen.getAllByRole("article", { name: "Assent said" })).toHaveLength(1);
    expect(screen.queryByText("One, tw")).toBeNull();
  });

  it("marks what is unread as read", async () => {
    stage.view = makeView({ unread: true });
    open();
    await waitFor(() => expect(stage.asked).toContain(`POST /api/conversations/${CHAT}/read`));
  });

  it("shows what another tab said", async () => {
    stage.messages = [said(1, "hello"), stored(2, "assistant", [text("Hi.")])];
    open();
    expect(await screen.findByText("Hi.")).toBeVisible();
    stage.messages = [...stage.messages, said(3, "from elsewhere")];
    expect(await screen.findByText("from elsewhere", {}, { timeout: 3_000 })).toBeVisible();
  });
});
