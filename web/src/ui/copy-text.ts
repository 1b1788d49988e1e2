/** Copies a text. Over plain http browsers offer no clipboard to scripts, only the old command. */

function copySelected(control: HTMLInputElement | HTMLTextAreaElement): boolean {
  control.select();
  return document.execCommand("copy");
}

function copyByCommand(value: string): boolean {
  const control = document.createElement("textarea");
  const focused = document.activeElement;
  control.value = value;
  control.readOnly = true;
  control.className = "fixed top-0 opacity-0";
  document.body.append(control);
  const copied = copySelected(control);
  control.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

export async function copyText(value: string, shownIn?: HTMLInputElement | null): Promise<boolean> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(value);
    return true;
  }
  return shownIn ? copySelected(shownIn) : copyByCommand(value);
}
