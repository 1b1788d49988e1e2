import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { createHost, loadPluginModule, PluginPageBroken } from "../../src/plugins/load";
import { ModuleFrame } from "../../src/plugins/module-frame";
import { texts } from "../../src/texts";
import { stubServer } from "../server";

const URL = "/api/p/weather/pages/now.js";

describe("ModuleFrame", () => {
  it("mounts the page and takes it away again", async () => {
    const unmount = vi.fn();
    const mount = vi.fn((element: HTMLElement) => {
      element.textContent = "Sunny";
      return unmount;
    });
    const importModule = vi.fn(async () => ({ mount }));
    const view = render(<ModuleFrame plugin="weather" url={URL} importModule={importModule} />);
    expect(await screen.findByText("Sunny")).toBeVisible();
    expect(importModule).toHaveBeenCalledWith(URL);
    view.unmount();
    expect(unmount).toHaveBeenCalledOnce();
  });

  it("does not mount a page that was left before it was loaded", async () => {
    const mount = vi.fn();
    let finish: (module: unknown) => void = () => {};
    const importModule = () => new Promise((resolve) => (finish = resolve));
    const view = render(<ModuleFrame plugin="weather" url={URL} importModule={importModule} />);
    view.unmount();
    finish({ mount });
    await Promise.resolve();
    expect(mount).not.toHaveBeenCalled();
  });

  it.each([
    ["has no mount", async () => ({ other: 1 })],
    ["cannot be loaded", async () => Promise.reject(new Error("404"))],
    [
      "throws",
      async () => ({
        mount: () => {
          throw new Error("broken");
        },
      }),
    ],
  ])("says so when a module %s", async (_, importModule) => {
    render(<ModuleFrame plugin="weather" url={URL} importModule={importModule} />);
    expect(await screen.findByText(texts.plugins.brokenBody("weather"))).toBeVisible();
  });

  it("tries again on request", async () => {
    const importModule = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new Error("offline"))
      .mockResolvedValue({
        mount: (element: HTMLElement) => {
          element.textContent = "Sunny";
        },
      });
    render(<ModuleFrame plugin="weather" url={URL} importModule={importModule} />);
    await userEvent.click(await screen.findByRole("button", { name: texts.actions.retry }));
    await waitFor(() => expect(screen.getByText("Sunny")).toBeVisible());
  });
});

describe("loadPluginModule", () => {
  it.each(["https://evil.example/a.js", "//evil.example/a.js", "data:text/javascript,1"])(
    "refuses %s",
    async (url) => {
      const importModule = vi.fn();
      await expect(loadPluginModule(url, importModule)).rejects.toBeInstanceOf(PluginPageBroken);
      expect(importModule).not.toHaveBeenCalled();
    },
  );
});

describe("createHost", () => {
  it("adds the header that marks our own pages", async () => {
    const asked = stubServer({ "POST /api/p/weather/wish": { status: 204 } });
    await createHost().fetch("/api/p/weather/wish", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"sun":true}',
    });
    expect(asked[0]?.headers.get("x-assent-csrf")).toBe("1");
    expect(asked[0]?.headers.get("content-type")).toBe("application/json");
    expect(asked[0]?.body).toEqual({ sun: true });
  });

  it.each(["https://evil.example/api/x", "//evil.example/api/x", "/login", "/api/../login"])(
    "does not reach %s",
    async (path) => {
      const asked = stubServer({});
      await expect(createHost().fetch(path)).rejects.toBeInstanceOf(PluginPageBroken);
      expect(asked).toEqual([]);
    },
  );
});
