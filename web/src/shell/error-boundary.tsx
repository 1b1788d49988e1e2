/** Keeps a page that throws from taking everything down. Another address is another chance. */

import { Component, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Crashed } from "./crashed";

interface BoundaryProps {
  address: string;
  children: ReactNode;
}

interface BoundaryState {
  failedAt: string | null;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failedAt: null };

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.address });
  }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failedAt: "" };
  }

  static getDerivedStateFromProps(
    { address }: BoundaryProps,
    { failedAt }: BoundaryState,
  ): Partial<BoundaryState> | null {
    return failedAt && failedAt !== address ? { failedAt: null } : null;
  }

  override render(): ReactNode {
    return this.state.failedAt === null ? this.props.children : <Crashed />;
  }
}

interface ErrorBoundaryProps {
  children: ReactNode;
}

export function ErrorBoundary({ children }: ErrorBoundaryProps) {
  return <Boundary address={useLocation().pathname}>{children}</Boundary>;
}
