import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { describe, expect, it } from "vitest";
import { LoginPage } from "../../src/login/page";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";

const METHODS = { "GET /api/auth/methods": { body: { password: true, oidc: null } } };

function Where() {
  return <p>at {useLocation().pathname}</p>;
}

function open(at: string) {
  renderPage(
    <Routes>
      <Route path="/login" element={<LoginPage />} />
      <Route path="*" element={<Where />} />
    </Routes>,
    { at },
  );
}

async function signIn() {
  await userEvent.type(screen.getByLabelText(texts.signIn.email), "ada@example.com");
  await userEvent.type(screen.getByLabelText(texts.signIn.password), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: texts.signIn.submit }));
}

async function choosePassword(password: string, repeated: string) {
  await userEvent.type(screen.getByLabelText(texts.signIn.newPassword), password);
  await userEvent.type(screen.getByLabelText(texts.signIn.repeatPassword), repeated);
  await userEvent.click(screen.getByRole("button", { name: texts.signIn.resetSubmit }));
}

describe("LoginPage", () => {
  it.each([
    ["/login?next=%2Fpeople", "at /people"],
    ["/login?next=%2F%2Fevil.example", "at /"],
    ["/login", "at /"],
  ])("goes from %s on to %s", async (from, to) => {
    stubServer({ ...METHODS, "POST /api/auth/login": { body: ADA } });
    open(from);
    await signIn();
    expect(await screen.findByText(to)).toBeVisible();
  });

  it.each([
    ["link_unusable", texts.signIn.errors.link_unusable],
    ["oidc_failed", texts.signIn.errors.oidc_failed],
    ["toString", texts.signIn.errors.other],
  ])("explains the error %s", (code, text) => {
    stubServer(METHODS);
    open(`/login?error=${code}`);
    expect(screen.getByText(text)).toBeVisible();
  });

  it("sets a password with a link", async () => {
    const asked = stubServer({ "POST /api/auth/reset": { body: ADA } });
    open("/login?reset=TOKEN");
    await choosePassword("a long enough one", "a long enough one");
    expect(await screen.findByText("at /")).toBeVisible();
    expect(asked[0]?.body).toEqual({ token: "TOKEN", password: "a long enough one" });
  });

  it("wants twelve characters and the same twice", async () => {
    const asked = stubServer({});
    open("/login?reset=TOKEN");
    await choosePassword("short", "other");
    expect(screen.getByText(texts.forms.tooShort(12))).toBeVisible();
    expect(screen.getByText(texts.forms.notEqual)).toBeVisible();
    expect(asked).toEqual([]);
  });

  it("shows the way on when the link is unusable", async () => {
    stubServer({ "POST /api/auth/reset": problem(410, { code: "link_unusable" }) });
    open("/login?reset=OLD");
    await choosePassword("a long enough one", "a long enough one");
    expect(await screen.findByText(texts.signIn.errors.link_unusable)).toBeVisible();
    expect(screen.getByRole("link", { name: texts.signIn.toSignIn })).toBeVisible();
  });
});
