/** Code that is loaded when it is first needed. */

import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from "react";

type Load<Name extends string, Props extends object> = () => Promise<
  Record<Name, ComponentType<Props>>
>;

/** A page; what is shown meanwhile is decided by the nearest `Suspense` above it. */
export function deferredPage<Name extends string>(
  load: Load<Name, object>,
  name: Name,
): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** A dialog; nothing is shown until it is there. */
export function deferredDialog<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): ComponentType<Props> {
  const Dialog = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }));
  return function DeferredDialog(props: Props) {
    return (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    );
  };
}
