// Runs before the first paint, so that a chosen theme never flashes. Without a choice the system decides.
try {
  const theme = localStorage.getItem("assent.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme applies.
}
