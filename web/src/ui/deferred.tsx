/** Code that is loaded when it is first needed. */

import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
} from "react";

/** What is shown meanwhile is decided by the nearest `Suspense` above. */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}

interface LaterProps {
  children: ReactNode;
}

/** Around a dialog: nothing is shown until its code is there, and the page stays as it is. */
export function Later({ children }: LaterProps) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
