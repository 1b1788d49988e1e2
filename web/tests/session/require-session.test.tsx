import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { describe, expect, it } from "vitest";
import { useMe } from "../../src/session/me";
import { createQueryClient } from "../../src/session/query-client";
import { RequireSession } from "../../src/session/require-session";
import { texts } from "../../src/texts";
import { ADA } from "../render";
import { problem, stubServer } from "../server";

function Where() {
  const { pathname, search } = useLocation();
  return <p>{pathname + search}</p>;
}

function Greeting() {
  return <p>Hello {useMe().name}</p>;
}

function open(at: string) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route path="/login" element={<Where />} />
          <Route
            path="*"
            element={
              <RequireSession>
                <Greeting />
              </RequireSession>
            }
          />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

describe("RequireSession", () => {
  it("lets a signed-in person in", async () => {
    stubServer({ "GET /api/me": { body: ADA } });
    open("/people");
    expect(await screen.findByText("Hello Ada Okafor")).toBeVisible();
  });

  it("sends everybody else to sign-in and remembers the page", async () => {
    stubServer({ "GET /api/me": problem(401) });
    open("/people?q=a");
    expect(await screen.findByText("/login?next=%2Fpeople%3Fq%3Da")).toBeVisible();
  });

  it("does not mistake another failure for being signed out", async () => {
    stubServer({ "GET /api/me": problem(403, { detail: "Switched off." }) });
    open("/people");
    expect(await screen.findByText(texts.states.forbiddenTitle)).toBeVisible();
  });
});
