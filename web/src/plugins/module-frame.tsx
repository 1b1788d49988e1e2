/** Gives a plugin's module an element of the page, and takes it back. */

import { Puzzle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Notice, SkeletonRows } from "../ui/states";
import { createHost, type ImportModule, importFromServer, loadPluginModule } from "./load";

type FrameState = "loading" | "mounted" | "broken";

interface ModuleFrameProps {
  plugin: string;
  url: string;
  importModule?: ImportModule;
}

export function ModuleFrame({ plugin, url, importModule = importFromServer }: ModuleFrameProps) {
  const [state, setState] = useState<FrameState>("loading");
  const [attempt, setAttempt] = useState(0);
  const element = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    let left = false;
    let unmount: (() => void) | undefined;
    setState("loading");
    loadPluginModule(url, importModule)
      .then((module) => {
        if (left || element.current === null) return;
        unmount = module.mount(element.current, createHost());
        setState("mounted");
      })
      .catch(() => !left && setState("broken"));
    return () => {
      left = true;
      unmount?.();
      element.current?.replaceChildren();
    };
  }, [url, importModule, attempt]);

  return (
    <>
      <div ref={element} hidden={state !== "mounted"} />
      {state === "loading" && <SkeletonRows />}
      {state === "broken" && <Broken plugin={plugin} onRetry={() => setAttempt(attempt + 1)} />}
    </>
  );
}

interface BrokenProps {
  plugin: string;
  onRetry: () => void;
}

function Broken({ plugin, onRetry }: BrokenProps) {
  return (
    <Notice
      icon={Puzzle}
      title={texts.plugins.brokenTitle}
      action={<Button onClick={onRetry}>{texts.actions.retry}</Button>}
    >
      <p role="alert">{texts.plugins.brokenBody(plugin)}</p>
    </Notice>
  );
}
