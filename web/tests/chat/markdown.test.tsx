import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Markdown } from "../../src/chat/markdown";
import { renderPage } from "../render";

function show(text: string, growing = false) {
  return renderPage(<Markdown text={text} growing={growing} />).container;
}

describe.each([true, false])("Markdown, growing: %s", (growing) => {
  it("shows lists, tables and code", () => {
    const box = show(
      "## Title\n\n- one\n- two\n\n| A |\n| --- |\n| b |\n\n`c`\n\n```\nd\n```\n",
      growing,
    );
    expect(within(box).getByRole("heading", { name: "Title" })).toBeVisible();
    expect(within(box).getAllByRole("listitem")).toHaveLength(2);
    expect(within(box).getByRole("cell", { name: "b" })).toBeVisible();
    expect([...box.querySelectorAll("code")].map((code) => code.textContent?.trim())).toEqual([
      "c",
      "d",
    ]);
  });

  it.each([
    '<img src="https://example.com/x.png">',
    "<script>alert(1)</script>",
    '<iframe src="https://example.com"></iframe>',
    '<a href="https://example.com">x</a>',
    '<meta http-equiv="refresh" content="0;url=https://example.com">',
    "![x](https://example.com/x.png)",
    "![x](//example.com/x.png)",
    "[x](javascript:alert(1))",
    "[x](https://example.com/?q=secret)",
    '<form action="https://example.com"><input autofocus onfocus="alert(1)"></form>',
    '<svg><style>@import "https://example.com";</style></svg>',
  ])("lets nothing out: %s", (text) => {
    const box = show(`Before ${text} after\n\n${text}\n`, growing);
    expect(
      box.querySelectorAll("img,script,iframe,a,meta,link,form,input,svg style,style,object,video"),
    ).toHaveLength(0);
    expect(box).toHaveTextContent("Before");
  });
});

describe("links", () => {
  it("navigates inside", () => {
    show("See [the systems](/p/catalog/systems).");
    expect(screen.getByRole("link", { name: "the systems" })).toHaveAttribute(
      "href",
      "/p/catalog/systems",
    );
  });

  it("asks before it leaves, and says where to", async () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    show("See [the docs](https://example.com/docs?a=b).");
    await userEvent.click(screen.getByRole("button", { name: /the docs/u }));
    const dialog = await screen.findByRole("dialog", { name: "Leave Assent?" });
    expect(opened).not.toHaveBeenCalled();
    expect(dialog).toHaveTextContent("https://example.com/docs?a=b");
    await userEvent.click(within(dialog).getByRole("button", { name: "Open" }));
    expect(opened).toHaveBeenCalledWith(
      "https://example.com/docs?a=b",
      "_blank",
      "noopener,noreferrer",
    );
  });

  it("does nothing while a link is unfinished", () => {
    const box = show("See [the docs](https://exam", true);
    expect(box.querySelectorAll("a,button")).toHaveLength(0);
    expect(box).toHaveTextContent("See the docs");
  });

  it("does nothing while an address is being written", () => {
    const { container, rerender } = renderPage(<Markdown text="See https://exam" growing />);
    expect(container.querySelectorAll("a,button")).toHaveLength(0);
    expect(container).toHaveTextContent("See https://exam");
    rerender(<Markdown text="See https://example.com now" growing />);
    expect(screen.getByRole("button", { name: "https://example.com" })).toBeVisible();
    rerender(<Markdown text="See https://example.com" growing={false} />);
    expect(screen.getByRole("button", { name: "https://example.com" })).toBeVisible();
  });

  it.each(["/login?token=a", "/api/auth/logout", "/.//example.com", "mailto:a@example.com"])(
    "is text where it would reach a server: %s",
    (href) => {
      const box = show(`See [the docs](${href}).`);
      expect(box.querySelectorAll("a,button")).toHaveLength(0);
      expect(box).toHaveTextContent("See the docs.");
    },
  );

  it("shows the address to whoever comes by keyboard", async () => {
    show("See [the docs](https://example.com/docs?a=b).");
    await userEvent.tab();
    expect(await screen.findByText("https://example.com/docs?a=b")).toBeVisible();
  });

  it("spells names out that look like others", async () => {
    show("See [the docs](https://аpple.example/).");
    await userEvent.click(screen.getByRole("button", { name: /the docs/u }));
    const dialog = await screen.findByRole("dialog", { name: "Leave Assent?" });
    expect(dialog).toHaveTextContent("https://xn--pple-43d.example/");
    expect(dialog).toHaveTextContent("letters that can look like others");
  });
});
