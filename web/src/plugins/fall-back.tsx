/** Around a view of a plugin: when it throws, something simpler is shown instead. */

import { Component, type ReactNode } from "react";

interface FallBackProps {
  to: ReactNode;
  children: ReactNode;
}

interface FallBackState {
  failed: boolean;
}

export class FallBack extends Component<FallBackProps, FallBackState> {
  override state: FallBackState = { failed: false };

  static getDerivedStateFromError(): FallBackState {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.to : this.props.children;
  }
}
