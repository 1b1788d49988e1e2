import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fromStored } from "../../src/chat/message";
import { anchorOf, messagePath, parseAnchor } from "../../src/chat/message-link";
import { countVersions, findTurn } from "../../src/chat/versions";
import { CHAT, stored, text } from "./make";
import { open, said, setStage, stage } from "./stage";

const answered = (seq: number, words: string) => stored(seq, "assistant", [text(words)]);

function saidThrice() {
  const newest = said(5, "First");
  newest.metadata.versions = 3;
  stage.messages = [said(1, "Before"), answered(2, "Yes."), newest, answered(6, "Three.")];
  stage.versions = [
    { number: 1, messages: [said(3, "Frist"), answered(3, "One.")] },
    { number: 2, messages: [said(4, "Fisrt"), answered(4, "Two.")] },
  ];
}

beforeEach(setStage);

describe("versions of a message", () => {
  it("are looked at one after the other, without anything to do but read", async () => {
    saidThrice();
    open();
    const pager = () => screen.getByRole("group", { name: "Versions of this message" });
    expect(await screen.findByText("3 of 3")).toBeVisible();
    expect(within(pager()).getByRole("button", { name: "Version after" })).toBeDisabled();
    await userEvent.click(within(pager()).getByRole("button", { name: "Version before" }));
    expect(await screen.findByText("Two.")).toBeVisible();
    expect(screen.queryByText("Three.")).toBeNull();
    expect(screen.getByText("Yes.")).toBeVisible();
    const older = screen.getByRole("region", { name: "Version 2" });
    expect(within(older).queryByRole("button", { name: "Edit" })).toBeNull();
    expect(within(older).queryByRole("button", { name: "Good answer" })).toBeNull();
    expect(within(older).getByRole("button", { name: "Continue from here" })).toBeVisible();
    expect(within(pager()).getByRole("button", { name: "Version before" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByText("One.")).toBeVisible();
    expect(within(pager()).getByRole("button", { name: "Version after" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Back to the newest" }));
    expect(await screen.findByText("Three.")).toBeVisible();
    expect(screen.queryByText("One.")).toBeNull();
    expect(stage.asked.filter((one) => one.endsWith("/versions"))).toHaveLength(1);
  });

  it("are continued in a branch from the last message of the version", async () => {
    saidThrice();
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Version before" }));
    await userEvent.click(await screen.findByRole("button", { name: "Continue from here" }));
    const last = stage.versions[1]?.messages.at(-1)?.id;
    await waitFor(() => expect(stage.branched).toEqual([{ messageId: last }]));
  });

  it("are counted for what people say, and replace the whole turn", () => {
    saidThrice();
    const messages = stage.messages.map(fromStored);
    expect(messages.map(countVersions)).toEqual([1, 1, 3, 1]);
    expect(findTurn(messages, messages[0]?.id ?? "")).toEqual([0, 2]);
    expect(findTurn(messages, messages[2]?.id ?? "")).toEqual([2, 4]);
    expect(findTurn(messages, "gone")).toBeNull();
  });
});

describe("addresses of messages", () => {
  it("lead to the message and back", () => {
    expect(messagePath(CHAT, "m1")).toBe(`/chat/${CHAT}#message-m1`);
    expect(parseAnchor(`#${anchorOf("m1")}`)).toBe("m1");
    for (const hash of ["", "#", "#message-", "#else"]) expect(parseAnchor(hash)).toBeNull();
  });
});
