/** The start of the pages. */

import "./without-eval";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { watchBack } from "./forms/back";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
watchBack();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
