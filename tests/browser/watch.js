// Notes whatever comes into a page, if only for a moment, that could reach out by itself.
(() => {
  const FORBIDDEN = new Set(
    ("IMG PICTURE SOURCE VIDEO AUDIO TRACK IFRAME FRAME FRAMESET OBJECT EMBED BASE META STYLE " +
      "MARQUEE MATH TEMPLATE PORTAL FENCEDFRAME DIALOG IMAGE USE FEIMAGE ANIMATE FOREIGNOBJECT").split(" "),
  );
  const REACHING = new Set(
    "src srcset poster data action formaction background ping srcdoc manifest target download name".split(" "),
  );
  const OWN_NAMES = new Set(["INPUT", "BUTTON", "SELECT", "TEXTAREA"]);
  const PAGE = /^\/(?:$|chat\/|proposals|audit|usage|assistant|knowledge|settings|people|p\/)/;
  window.intruders = [];

  function findFault(element) {
    const tag = element.tagName.toUpperCase();
    if (FORBIDDEN.has(tag)) return tag;
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || /url\(|image-set|@import/i.test(name === "style" ? value : "")) return name;
      if (name === "name" && OWN_NAMES.has(tag)) continue;
      if (REACHING.has(name)) return `${tag} ${name}`;
      if (name.endsWith("href")) {
        const url = new URL(value, location.href);
        const page = url.origin === location.origin && PAGE.test(url.pathname);
        if (tag !== "A" || !page) return `${tag} ${name}=${value}`;
      }
    }
    return null;
  }

  function check(node) {
    if (!(node instanceof Element)) return;
    for (const element of [node, ...node.querySelectorAll("*")]) {
      if (element.closest("head") !== null) continue;
      const fault = findFault(element);
      if (fault !== null) window.intruders.push(fault);
    }
  }

  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of addedNodes.length === 0 ? [target] : addedNodes) check(node);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
})();
