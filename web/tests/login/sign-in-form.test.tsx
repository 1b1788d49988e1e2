import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { parseProblem } from "../../src/api/problem";
import { SignInForm } from "../../src/login/sign-in-form";
import { texts } from "../../src/texts";

function failing(status: number, headers: Record<string, string> = {}) {
  const detail = "That did not work.";
  return async () => {
    throw parseProblem(new Response(null, { status, headers }), { detail });
  };
}

function open(onSubmit: () => Promise<unknown>, oidc: { label: string } | null = null) {
  render(<SignInForm password oidc={oidc} oidcPath="/oidc?next=%2F" onSubmit={onSubmit} />);
}

async function fillIn(password = "correct horse") {
  await userEvent.type(screen.getByLabelText(texts.signIn.email), " ada@example.com ");
  await userEvent.type(screen.getByLabelText(texts.signIn.password), password);
  await userEvent.click(screen.getByRole("button", { name: texts.signIn.submit }));
}

describe("SignInForm", () => {
  it("hands over the address without spaces and the password as it is", async () => {
    const onSubmit = vi.fn(async () => undefined);
    open(onSubmit);
    await fillIn(" pass word ");
    expect(onSubmit).toHaveBeenCalledWith({ email: "ada@example.com", password: " pass word " });
  });

  it("asks for what is missing and sends nothing", async () => {
    const onSubmit = vi.fn(async () => undefined);
    open(onSubmit);
    await userEvent.click(screen.getByRole("button", { name: texts.signIn.submit }));
    expect(screen.getAllByText(texts.forms.required)).toHaveLength(2);
    expect(screen.getByLabelText(texts.signIn.email)).toBeInvalid();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it("says why it was refused and keeps what was typed", async () => {
    open(failing(401));
    await fillIn();
    expect(await screen.findByRole("alert")).toHaveTextContent("That did not work.");
    expect(screen.getByLabelText(texts.signIn.email)).toHaveValue("ada@example.com");
    expect(screen.getByLabelText(texts.signIn.password)).toHaveValue("correct horse");
  });

  it("says how long to wait after too many attempts", async () => {
    open(failing(429, { "retry-after": "42" }));
    await fillIn();
    expect(await screen.findByText(texts.signIn.tooMany("42 seconds"))).toBeVisible();
    expect(screen.getByRole("button", { name: texts.signIn.submit })).toBeDisabled();
  });

  it("warns of caps lock", () => {
    open(failing(401));
    fireEvent.keyDown(screen.getByLabelText(texts.signIn.password), {
      key: "A",
      modifierCapsLock: true,
    });
    expect(screen.getByText(texts.forms.capsLock)).toBeVisible();
  });

  it("shows the password on request", async () => {
    open(failing(401));
    await userEvent.click(screen.getByRole("button", { name: texts.forms.showPassword }));
    expect(screen.getByLabelText(texts.signIn.password)).toHaveAttribute("type", "text");
  });

  it("offers the organization's sign-in only where there is one", () => {
    open(failing(401), { label: "Example SSO" });
    const link = screen.getByRole("link", { name: texts.signIn.with("Example SSO") });
    expect(link).toHaveAttribute("href", "/oidc?next=%2F");
  });
});
