/** One incident: what is shown, to whom, and what is sent. */

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { IncidentDetail, Me } from "../../../src/api/types";
import { IncidentPage } from "../../../src/plugins/incident/incident-page";
import { texts } from "../../../src/texts";
import { ADA, renderPage } from "../../render";
import { problem, stubServer } from "../../server";

const INCIDENT: IncidentDetail = {
  id: "one",
  workspaceId: "payments",
  title: "Checkout hangs",
  description: "Nothing is paid.",
  severity: "critical",
  status: "identified",
  systemIds: ["gone"],
  startedAt: "2026-07-01T20:00:00Z",
  resolvedAt: null,
  version: 3,
  createdAt: "2026-07-01T20:00:00Z",
  updatedAt: "2026-07-01T20:10:00Z",
  updates: [
    {
      id: "update-1",
      text: "The queue is full.",
      status: "identified",
      author: "Jun Sato",
      authorId: "user-jun",
      createdAt: "2026-07-01T20:10:00Z",
    },
  ],
  links: [{ id: "link-1", label: "Dashboard", url: "https://graphs.example.com/d/1" }],
  deliveries: [
    {
      id: "delivery-1",
      updateId: "update-1",
      event: "updated",
      origin: "https://hooks.example.com",
      state: "failed",
      tries: 8,
      reason: "It answered 500.",
      createdAt: "2026-07-01T20:10:00Z",
      triedAt: "2026-07-01T20:30:00Z",
    },
  ],
};
const AT = "/api/p/incident/incidents/one";
const MANAGER: Me = { ...ADA, rules: ["incident.incident.manage", "catalog.system.read"] };
const READ = {
  [`GET ${AT}`]: { body: INCIDENT },
  "GET /api/p/catalog/systems": { body: { items: [], nextCursor: null } },
  "GET /api/p/incident/addresses/payments": {
    body: { workspaceId: "payments", url: "https://hooks.example.com/secret" },
  },
};

describe("an incident", () => {
  it("shows all of it to those who may read", async () => {
    stubServer(READ);
    renderPage(<IncidentPage id="one" />, {
      me: { ...ADA, rules: ["incident.incident.read", "catalog.system.read"] },
    });
    expect(await screen.findByRole("heading", { name: "Checkout hangs" })).toBeVisible();
    expect(screen.getByText("Critical")).toBeVisible();
    expect(screen.getByText("The queue is full.")).toBeVisible();
    expect(screen.getByRole("link", { name: /Dashboard/u })).toHaveAttribute(
      "href",
      "https://graphs.example.com/d/1",
    );
    expect(screen.getByText("It answered 500. Tried 8 times.")).toBeVisible();
    expect(screen.getByText("Not visible to you")).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is resolved with what solved it, and notifies only when asked to", async () => {
    const asked = stubServer({
      ...READ,
      [`POST ${AT}/resolve`]: { status: 201, body: INCIDENT.updates[0] },
    });
    renderPage(<IncidentPage id="one" />, { me: MANAGER });
    await userEvent.click(await screen.findByRole("button", { name: "Resolve" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Resolve" }));
    expect(within(dialog).getByText(texts.forms.required)).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText("What is new"), "More workers. ");
    await userEvent.click(await within(dialog).findByRole("switch", { name: "Notify" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Resolve" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      text: "More workers.",
      notify: true,
    });
  });

  it("keeps what was typed when the server refuses", async () => {
    stubServer({
      ...READ,
      [`POST ${AT}/updates`]: problem(422, {
        issues: [{ path: "notify", message: "This workspace has no notification address." }],
      }),
    });
    renderPage(<IncidentPage id="one" />, { me: MANAGER });
    await userEvent.click(await screen.findByRole("button", { name: "Add update" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText("What is new"), "Nearly there.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Add update" }));
    expect(await within(dialog).findByText(/no notification address/u)).toBeVisible();
    expect(within(dialog).getByLabelText("What is new")).toHaveValue("Nearly there.");
  });
});
