// Text whose ratio to its ground is under 4.5 (WCAG 2, AA; 3 from 24 px on): element, ratio.
() => {
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((parts(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const seen = [...document.querySelectorAll("body *")].filter((node) =>
    !node.closest("svg, script") && node.checkVisibility() &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const faint = seen.map((node) => {
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const least = parseFloat(getComputedStyle(node).fontSize) >= 24 ? 3 : 4.5;
    return ratio < least ? `${node.tagName}.${node.className} ${node.textContent} ${ratio}` : null;
  }).filter(Boolean);
  return { read: seen.length, faint };
}
