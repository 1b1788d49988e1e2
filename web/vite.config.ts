import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const SERVER = "http://127.0.0.1:8700";

const VENDOR =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|openapi-fetch)[\\/]/;
const KIT =
  /src[\\/](texts|(api|session|access|time)[\\/]|ui[\\/](avatar|badge|button|input|loaded|logo|menu|page|states|toast))/;

/** The one for browsers decodes `&amp;` by making HTML of it, which the server's policy forbids. */
const ENTITIES = "node_modules/decode-named-character-reference/index.js";

export default defineConfig({
  // Tailwind's own optimizer would rewrite light-dark() for browsers that the build does not target.
  plugins: [react(), tailwindcss({ optimize: false })],
  resolve: {
    alias: {
      "decode-named-character-reference": fileURLToPath(new URL(ENTITIES, import.meta.url)),
    },
  },
  server: { proxy: { "/api": SERVER } },
  build: {
    outDir: "../src/assent/web",
    emptyOutDir: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    // The server's policy allows fonts and scripts from its own origin only, so nothing is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page needs comes in two files; many tiny ones would cost more in requests.
        codeSplitting: {
          groups: [
            { name: "vendor", test: VENDOR, priority: 2 },
            { name: "kit", test: KIT, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    // All cores: nothing else runs meanwhile. Threads start sooner than processes.
    pool: "threads",
    maxWorkers: "100%",
    // For a machine that has much else to do; nothing waits that long by itself.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
