// Elements without markup: whatever a map says becomes text, never HTML.
const SPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };

function element(space, name, attributes = {}, ...children) {
  const made = space ? document.createElementNS(SPACES[space], name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const html = (name, attributes, ...children) => element(null, name, attributes, ...children);
const svg = (name, attributes, ...children) => element("svg", name, attributes, ...children);
const math = (name, attributes, ...children) => element("math", name, attributes, ...children);
