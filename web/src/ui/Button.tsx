import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  /** What it does, for the tooltip and for screen readers. */
  readonly label: string;
  readonly keys?: string;
  readonly icon?: IconName;
  readonly children?: ReactNode;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly tip?: "above" | "below" | "left";
  readonly className?: string;
  readonly onClick: () => void;
}

export function Button({ label, keys, icon, children, pressed, disabled = false, tip = "above", className = "", onClick }: Props) {
  return (
    <button
      type="button"
      className={`button tip-${tip} ${className}`}
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys}
      data-tip={keys ? `${label}  ·  ${keys}` : label}
      disabled={disabled}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
