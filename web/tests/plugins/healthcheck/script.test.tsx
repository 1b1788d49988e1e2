import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { problem } from "../../server";
import { makeCheck } from "./make";
import { BASE, choose, open, PAGE, serve } from "./stage";

describe("a script", () => {
  const CONTEXT = `GET ${BASE}/scripts/context`;
  const TEST = `POST ${BASE}/scripts/test`;
  const context = {
    body: { starter: "from assent_script import http", stubs: "def get(url): ...\n", packages: [] },
  };
  const ended = {
    result: { status: "up" },
    stdout: "looked\n",
    stderr: "",
    exitCode: 0,
    durationMs: 12,
    timedOut: false,
    error: null,
    sandboxDowngraded: false,
  };

  it("is tried as it stands, and its result shown", async () => {
    const asked = serve(makeCheck(), { [CONTEXT]: context, [TEST]: { status: 201, body: ended } });
    open(`${PAGE}/new`);
    await choose("Strategy", /Python script/u);
    await userEvent.click(await screen.findByRole("button", { name: "Begin with the example" }));
    expect(screen.getByLabelText("Source")).toHaveValue("from assent_script import http");
    await userEvent.type(screen.getByLabelText(/^Also reaches/u), "http://127.0.0.1:8700");
    await userEvent.click(screen.getByRole("button", { name: "Test" }));
    expect(await screen.findByText("It ran in 12 ms.")).toBeVisible();
    expect(
      within(screen.getByRole("region", { name: "Output" })).getByText("looked"),
    ).toBeVisible();
    expect(asked.find(({ path }) => path.endsWith("/test"))?.body).toEqual({
      context: "healthcheck-script",
      source: "from assent_script import http",
      env: {},
      timeoutMs: 10_000,
      reach: ["http://127.0.0.1:8700"],
    });
    expect(asked.some(({ method, path }) => method === "POST" && path.endsWith("/checks"))).toBe(
      false,
    );
  });

  it.each([
    [{ error: "NameError: x" }, "NameError: x"],
    [{ timedOut: true }, "It took too long and was stopped."],
    [{ exitCode: 3 }, "It ended with exit code 3."],
    [{ sandboxDowngraded: true }, "It ran with less isolation than is configured."],
  ])("says how it ended: %o", async (fields, words) => {
    const body = { ...ended, ...fields };
    serve(makeCheck(), { [CONTEXT]: context, [TEST]: { status: 201, body } });
    open(`${PAGE}/new`);
    await choose("Strategy", /Python script/u);
    await userEvent.click(await screen.findByRole("button", { name: "Test" }));
    expect(await screen.findByText(words)).toBeVisible();
  });

  it("says that there is no sandbox", async () => {
    const detail = "Scripts cannot run here.";
    const answer = problem(503, { code: "sandbox_unavailable", detail });
    serve(makeCheck(), { [CONTEXT]: context, [TEST]: answer });
    open(`${PAGE}/new`);
    await choose("Strategy", /Python script/u);
    await userEvent.click(await screen.findByRole("button", { name: "Test" }));
    expect(await screen.findByText(detail)).toBeVisible();
  });
});
