import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Connection } from "../../src/api/types";
import { ProgramsPage } from "../../src/settings/programs";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";

const words = texts.programs;
const LIST = "GET /api/oauth/clients";
const REVOKE = "DELETE /api/oauth/clients/connection-1";
const GRACE = { id: "user-grace", name: "Grace Lindqvist" };

const READER = { ...ADA, rules: ["identity.program.read"] };

function makeConnection(fields: Partial<Connection> = {}): Connection {
  return {
    id: "connection-1",
    clientName: "Claude",
    clientHost: "claude.ai",
    registeredBy: "document",
    user: { id: ADA.id, name: ADA.name },
    scopes: [
      { rule: "catalog.system.read", title: "See systems" },
      { rule: "catalog.system.manage", title: "Change systems" },
    ],
    createdAt: "2026-01-01T10:00:00Z",
    lastUsedAt: null,
    expiresAt: null,
    ...fields,
  };
}

describe("ProgramsPage", () => {
  it("says how to connect a program when there is none", async () => {
    stubServer({ [LIST]: { body: { items: [] } } });
    renderPage(<ProgramsPage />, { me: READER });
    expect(await screen.findByText(words.emptyTitle)).toBeVisible();
    expect(screen.getByLabelText(words.address)).toHaveValue(`${window.location.origin}/mcp`);
    expect(screen.queryByText(words.everybody)).toBeNull();
  });

  it("lists one's own with what they may do, in words", async () => {
    const asked = stubServer({ [LIST]: { body: { items: [makeConnection()] } } });
    renderPage(<ProgramsPage />, { me: READER });
    const list = await screen.findByRole("list", { name: words.list });
    expect(within(list).getByText("claude.ai")).toBeVisible();
    expect(within(list).getByText(texts.trust.checked)).toBeVisible();
    expect(within(list).getByText(words.neverUsed, { exact: false })).toBeVisible();
    await userEvent.click(within(list).getByText(words.prepares(["Catalog"], ["Catalog"])));
    expect(within(list).getByText("Prepare changes to systems")).toBeVisible();
    expect(asked.map(({ query }) => query.get("everybody"))).toEqual([null]);
  });

  it("says of a program that registered itself that nobody has checked its name", async () => {
    stubServer({ [LIST]: { body: { items: [makeConnection({ registeredBy: "registration" })] } } });
    renderPage(<ProgramsPage />, { me: READER });
    expect(await screen.findByText(texts.trust.unverified)).toBeVisible();
    expect(screen.queryByText(texts.trust.checked)).toBeNull();
  });

  it("revokes after a question that says what happens", async () => {
    let gone = false;
    stubServer({
      [LIST]: () => ({ body: { items: gone ? [] : [makeConnection()] } }),
      [REVOKE]: () => {
        gone = true;
        return { status: 204 };
      },
    });
    renderPage(<ProgramsPage />, { me: READER });
    await userEvent.click(await screen.findByRole("button", { name: words.revokeNamed("Claude") }));
    const dialog = await screen.findByRole("alertdialog");
    expect(dialog).toHaveTextContent(words.revokeBody("Claude"));
    await userEvent.click(within(dialog).getByRole("button", { name: words.revoke }));
    expect(await screen.findByText(words.emptyTitle)).toBeVisible();
  });

  it("keeps what could not be revoked, and says why", async () => {
    stubServer({
      [LIST]: { body: { items: [makeConnection()] } },
      [REVOKE]: problem(503, { detail: "Try later." }),
    });
    renderPage(<ProgramsPage />, { me: READER });
    await userEvent.click(await screen.findByRole("button", { name: words.revokeNamed("Claude") }));
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: words.revoke }));
    expect(await within(dialog).findByText("Try later.")).toBeVisible();
    expect(screen.getByRole("list", { name: words.list, hidden: true })).toBeInTheDocument();
  });

  it("names the rule to somebody who may not have programs", () => {
    stubServer({});
    renderPage(<ProgramsPage />);
    expect(screen.getByText("identity.program.read")).toBeVisible();
  });

  it("shows an admin everybody's, with whose they are", async () => {
    const asked = stubServer({
      [LIST]: ({ query }) => ({
        body: { items: query.has("everybody") ? [makeConnection({ user: GRACE })] : [] },
      }),
    });
    renderPage(<ProgramsPage />, { me: { ...ADA, rules: ["*"] } });
    const list = await screen.findByRole("list", { name: words.everybodyList });
    expect(within(list).getByText(words.ofPerson(GRACE.name))).toBeVisible();
    await userEvent.click(within(list).getByRole("button", { name: words.revokeNamed("Claude") }));
    expect(await screen.findByRole("alertdialog")).toHaveTextContent(
      words.revokeOther("Claude", GRACE.name),
    );
    expect(asked.map(({ query }) => query.get("everybody"))).toEqual([null, "true"]);
  });
});
