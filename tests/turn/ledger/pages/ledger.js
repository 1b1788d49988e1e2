export function mount(element) {
  element.textContent = "Ledger";
  return () => element.replaceChildren();
}
