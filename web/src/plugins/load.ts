/** Loads the page module of a plugin and gives it a host to talk to the server through. */

import { CSRF_HEADER } from "../api/client";

export interface PluginHost {
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

export type Unmount = () => void;

export interface PluginModule {
  mount: (element: HTMLElement, host: PluginHost) => Unmount | undefined;
}

export type ImportModule = (url: string) => Promise<unknown>;

export class PluginPageBroken extends Error {}

/** Plugins reach the server's own interface and nothing else with the person's session. */
export function createHost(): PluginHost {
  return {
    fetch: async (path, init = {}) => {
      const url = new URL(path, window.location.origin);
      if (url.origin !== window.location.origin || !url.pathname.startsWith("/api/")) {
        throw new PluginPageBroken(`Not a path of the server's interface: ${path}`);
      }
      const headers = new Headers(init.headers);
      headers.set(CSRF_HEADER, "1");
      return fetch(url, { ...init, headers, credentials: "same-origin" });
    },
  };
}

function isPluginModule(value: unknown): value is PluginModule {
  return (
    typeof value === "object" &&
    value !== null &&
    "mount" in value &&
    typeof value.mount === "function"
  );
}

export const importFromServer: ImportModule = (url) => import(/* @vite-ignore */ url);

export async function loadPluginModule(
  url: string,
  importModule: ImportModule = importFromServer,
): Promise<PluginModule> {
  const address = new URL(url, window.location.origin);
  if (address.origin !== window.location.origin) {
    throw new PluginPageBroken("A page module must come from this server");
  }
  const loaded = await importModule(address.pathname + address.search);
  if (!isPluginModule(loaded)) throw new PluginPageBroken("The page module exports no mount");
  return loaded;
}
